import { Watermark } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSession } from '#api/session.ts'
import { usePreferences } from './preferences.ts'

/** SPEC 9's level. It lies over everything and lets every click through. */
const LEVEL = 9999

/** The watermark over the whole window: the chosen words, else who looks at it, so that a photograph tells. */
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
