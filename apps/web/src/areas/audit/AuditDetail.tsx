import { useQuery } from '@tanstack/react-query'
import { type AuditLogDetail, AuditLogRow, auditLogs } from '@tocsin/contract/audit/audit-log'
import { Alert, Flex, Skeleton, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { column } from '#ui/column.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { CopyButton } from '#ui/copy/CopyButton.tsx'
import { Operation, Outcome, Subject } from './AuditText.tsx'
import { browserOf } from '@tocsin/contract/audit/user-agent'
import { Difference } from './Difference.tsx'

const facts = [
  column(AuditLogRow, 'id'),
  column(AuditLogRow, 'createTime', { exact: true }),
  column(AuditLogRow, 'userName'),
  column(AuditLogRow, 'userId'),
  column(AuditLogRow, 'type', { word: 'auditModule' }),
  column(AuditLogRow, 'subType', { show: (_, row) => <Operation row={row} /> }),
  column(AuditLogRow, 'action', { show: (action) => <code className="breaks">{action}</code> }),
  column(AuditLogRow, 'subject', { show: (_, row) => <Subject row={row} /> }),
  column(AuditLogRow, 'result', { show: (result) => <Outcome result={result} /> }),
  column(AuditLogRow, 'userIp'),
  column(AuditLogRow, 'region', { word: 'region' }),
  column(AuditLogRow, 'userAgent', {
    show: (agent) => <span title={agent ?? ''}>{agent ? browserOf(agent) : '–'}</span>,
  }),
  column(AuditLogRow, 'requestMethod'),
  column(AuditLogRow, 'requestUrl', { show: (url) => (url ? <code className="breaks">{url}</code> : '–') }),
  column(AuditLogRow, 'durationMs'),
  column(AuditLogRow, 'traceId', { show: (id) => (id ? <code className="breaks">{id}</code> : '–') }),
]

/** Whether the row still matches its seal: as a text, because a hash alone tells users nothing. */
const Seal = ({ of: { sealState, seal, hash } }: { of: AuditLogDetail }) => {
  const { t } = useTranslation()
  const value = {
    SEALED: ['success', t('log.sealed', { seal: seal ?? 0 })],
    WAITING: ['info', t('log.waiting')],
    BROKEN: ['error', t('log.broken')],
  } as const
  const [type, text] = value[sealState]
  return (
    <Alert
      type={type}
      showIcon
      title={text}
      description={
        <>
          <Typography.Text code className="breaks">
            {hash}
          </Typography.Text>
          <CopyButton text={hash} />
        </>
      }
    />
  )
}

/** One operation in full, with its changes. */
export const AuditDetail = ({ row, onClose }: { row: AuditLogRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(inlineQuery(auditLogs.get, { query: { id: row.id } }))
  return (
    <ReadDrawer onClose={onClose} size="min(840px, 100vw)" title={t('log.operation')}>
      <Flex vertical gap="large">
        <DescriptionList row={row} columns={facts} />
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton active />}
        {data?.withheld && <Alert type="info" showIcon title={t('log.withheld')} />}
        {data && !data.withheld && <Difference subject={row.subject} before={data.before} after={data.after} />}
        {data && <Seal of={data} />}
      </Flex>
    </ReadDrawer>
  )
}
