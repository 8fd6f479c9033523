import { Button, Result } from 'antd'
import { useTranslation } from 'react-i18next'
import { errorText } from '#api/present.ts'
import { useLang } from '#texts/i18n.ts'

/** In place of what could not be read: why, the id to name to an administrator, and a way on. */
export const ErrorState = ({ error, onRetry }: { error: Error; onRetry: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const traceId = 'traceId' in error ? error.traceId : undefined
  return (
    <Result
      status="warning"
      title={t('list.failed')}
      subTitle={
        <>
          <div>{errorText(error, lang)}</div>
          {typeof traceId === 'string' && <div>{t('shell.traceId', { id: traceId })}</div>}
        </>
      }
      extra={<Button onClick={onRetry}>{t('shell.retry')}</Button>}
    />
  )
}
