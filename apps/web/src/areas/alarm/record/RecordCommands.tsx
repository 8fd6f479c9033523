import { deviceCommands, isAudioOpen, isCommandOver } from '@tocsin/contract/device/command'
import { useQuery } from '@tanstack/react-query'
import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { CommandTable } from '#areas/device/detail/CommandTable.tsx'

/** Polling interval while a command runs; no event tells when it left the gateway. */
const RUNNING_POLL_MS = 2_000

/** What was sent to the device while the alarm was open; nothing when nothing was sent. */
export const RecordCommands = ({ recordId }: { recordId: number }) => {
  const { t } = useTranslation()
  const maySee = useHasPermission('device:command:query')
  const { data = [] } = useQuery({
    ...inlineQuery(deviceCommands.listOfRecord, { query: { recordId } }),
    enabled: maySee,
    refetchInterval: ({ state }) =>
      state.data?.some((command) => !isCommandOver(command.state) || isAudioOpen(command)) ? RUNNING_POLL_MS : false,
  })
  if (data.length === 0) return null
  return (
    <section>
      <Typography.Title level={5} style={{ marginTop: 0 }}>
        {t('device.commands')}
      </Typography.Title>
      <CommandTable rows={data} />
    </section>
  )
}
