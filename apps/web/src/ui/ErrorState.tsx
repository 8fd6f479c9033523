import { ExclamationCircleFilled } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { codes } from '@tocsin/contract/codes'
import { errorText, isSessionOver } from '#api/error-display.ts'
import { useLang } from '#texts/i18n.ts'
import { ResultMessage } from './result/ResultMessage.tsx'

/** In place of data that could not be read: the reason, the trace id for an administrator, and a retry. */
export const ErrorState = ({ error, onRetry }: { error: Error; onRetry: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const refused = 'code' in error && error.code === codes.forbidden.code
  const traceId = 'traceId' in error ? error.traceId : undefined
  return (
    <ResultMessage
      mark={refused ? '403' : <ExclamationCircleFilled aria-hidden />}
      tone="warning"
      title={t('list.failed')}
      // SPEC 8: only the dialog reports a session that is over; a retry shows it again.
      detail={
        !isSessionOver(error) && (
          <>
            <div>{errorText(error, lang)}</div>
            {typeof traceId === 'string' && <div>{t('shell.traceId', { id: traceId })}</div>}
          </>
        )
      }
    >
      <Button onClick={onRetry}>{t('shell.retry')}</Button>
    </ResultMessage>
  )
}
