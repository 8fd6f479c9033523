import { type DeviceCommandRow, DeviceCommandRow as Row, deviceCommands } from '@tocsin/contract/device/command'
import { labelIn } from '@tocsin/contract/field'
import { Button, Empty } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { formatDateTime } from '#ui/time.ts'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'

const Cancel = ({ command }: { command: DeviceCommandRow }) => {
  const { t } = useTranslation()
  const { mutate, isPending } = useApiMutation(deviceCommands.cancel)
  if (command.state !== 'CREATED' || command.stopAt !== null) return null
  return (
    <Button size="small" type="link" loading={isPending} onClick={() => mutate({ body: { id: command.id } })}>
      {t('list.cancel')}
    </Button>
  )
}

/** The order to stop listening has the type of the one that began it. */
const isListenStop = ({ type, payload }: DeviceCommandRow): boolean => type === 'LISTEN' && payload['on'] === false

/** Commands with their state, reason and result; those that expired say so. */
export const CommandTable = ({ rows }: { rows: readonly DeviceCommandRow[] }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const maySend = useHasPermission('device:command:create')
  const { shape } = Row
  return (
    <ScrollTable
      size="small"
      rowKey={({ id }) => id}
      pagination={false}
      dataSource={[...rows]}
      locale={{ emptyText: <Empty image={null} description={t('device.noCommandsYet')} /> }}
      columns={[
        { key: 'at', title: labelIn(lang, shape.createdAt), render: (_, row) => formatDateTime(row.createdAt) },
        {
          key: 'type',
          title: labelIn(lang, shape.type),
          render: (_, row) => (isListenStop(row) ? t('device.listenStop') : enumLabel('commandType', row.type, lang)),
        },
        {
          key: 'state',
          title: labelIn(lang, shape.state),
          render: (_, { state, endReason }) => (
            <>
              <EnumTag kind="commandState" value={state} />
              {endReason && enumLabel('installationPeriodEnd', endReason, lang)}
            </>
          ),
        },
        { key: 'reason', title: labelIn(lang, shape.reason), render: (_, { reason }) => reason ?? '–' },
        {
          key: 'stopped',
          title: labelIn(lang, shape.stoppedAt),
          render: (_, { stoppedAt }) => (stoppedAt === null ? '–' : formatDateTime(stoppedAt)),
        },
        {
          key: 'result',
          title: labelIn(lang, shape.result),
          render: (_, { result }) =>
            result && Object.keys(result).length > 0 ? <code>{JSON.stringify(result)}</code> : '–',
        },
        {
          key: 'by',
          title: labelIn(lang, shape.requestedBy),
          render: (_, { requestedBy, requestedByName }) =>
            requestedByName ?? (requestedBy === null ? t('device.byServer') : `#${requestedBy}`),
        },
        { key: 'cancel', render: (_, row) => maySend && <Cancel command={row} /> },
      ]}
    />
  )
}
