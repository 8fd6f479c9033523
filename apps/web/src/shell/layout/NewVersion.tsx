import { Alert, Button, Flex } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNewBuild } from '../new-build.ts'

/** Offers a newer version and never loads it by itself: a form may be open, an alarm in progress. */
export const NewVersion = () => {
  const { t } = useTranslation()
  const newer = useNewBuild()
  const [declined, setDeclined] = useState<string>()
  if (newer === undefined || newer === declined) return null
  return (
    <Alert
      banner
      type="info"
      role="status"
      title={t('shell.newVersion')}
      action={
        <Flex gap="small">
          <Button size="small" type="primary" onClick={() => location.reload()}>
            {t('shell.reload')}
          </Button>
          <Button size="small" onClick={() => setDeclined(newer)}>
            {t('shell.later')}
          </Button>
        </Flex>
      }
    />
  )
}
