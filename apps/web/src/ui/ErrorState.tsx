import { ExclamationCircleFilled } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { codes } from '@tocsin/contract/codes'
import { errorText, isSessionOver } from '#api/error-display.ts'
import { useLang } from '#texts/i18n.ts'
import { ResultMessage } from './result/ResultMessage.tsx'

/** In place of what could not be read: why, the id to name to an administrator, and a way on. */
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
      // SPEC 8: of a session that is over only the dialog speaks, which comes again with another try.
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
