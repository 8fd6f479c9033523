import { Watermark } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSession } from '#api/session.ts'
import { usePreferences } from './preferences.ts'

/** The z-index of SPEC 9. It covers everything and lets every click through. */
const LEVEL = 9999

/** The watermark over the whole window: the configured text, else the user, so that a photograph shows who took it. */
export const PageWatermark = () => {
  const { t } = useTranslation()
  const chosen = usePreferences((all) => all.watermarkContent).trim()
  const nickname = useSession((session) => session.user?.nickname)
  const content = chosen || [t('shell.product'), nickname].filter(Boolean).join(' ')
  return (
    <Watermark
      zIndex={LEVEL}
      content={content}
      style={{ position: 'fixed', inset: 0, zIndex: LEVEL, pointerEvents: 'none' }}
    />
  )
}
