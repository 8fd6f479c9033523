import {
  CommandDraft,
  deviceCommands,
  isAudioOpen,
  isCommandOver,
  type OperableCommand,
  operableCommands,
} from '@tocsin/contract/device/command'
import type { DeviceDetail } from '@tocsin/contract/device/device'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Flex, Input, InputNumber, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { Field } from '#ui/Field.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { AudioControls } from './AudioControls.tsx'
import { CommandDialog } from './CommandDialog.tsx'
import { CommandTable } from './CommandTable.tsx'

/** Polling interval while a command runs; no event tells when it left the gateway. */
const RUNNING_POLL_MS = 2_000

const needsParameters: readonly OperableCommand[] = ['SIREN', 'LED', 'PLAY_TTS']

/** Commands that people at the school hear; the reason explains them afterwards. */
const heardCommands: readonly OperableCommand[] = ['SIREN', 'PLAY_TTS']

type Asking = { deviceId: number; type: OperableCommand; onClose: () => void }

const ParameterDialog = ({ deviceId, type, onClose }: Asking) => {
  const { mutateAsync, isPending } = useApiMutation(deviceCommands.create, { fieldsInline: true })
  return (
    <CommandDialog<Partial<CommandDraft>>
      type={type}
      initialValues={{ seconds: 10, on: true }}
      send={(values) => mutateAsync({ body: { ...values, deviceId, type } })}
      isSending={isPending}
      onClose={onClose}
    >
      {type === 'PLAY_TTS' && (
        <Field of={CommandDraft} name="text" required>
          <Input.TextArea maxLength={200} showCount autoFocus />
        </Field>
      )}
      {type === 'SIREN' && (
        <Field of={CommandDraft} name="seconds">
          <InputNumber min={1} max={300} precision={0} />
        </Field>
      )}
      {type === 'LED' && (
        <Field of={CommandDraft} name="on" valuePropName="checked">
          <Switch />
        </Field>
      )}
      {heardCommands.includes(type) && (
        <Field of={CommandDraft} name="reason">
          <Input.TextArea maxLength={200} showCount autoSize={{ minRows: 1 }} />
        </Field>
      )}
    </CommandDialog>
  )
}

const CommandButtons = ({ device }: { device: DeviceDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [asking, setAsking] = useState<OperableCommand>()
  const send = useApiMutation(deviceCommands.create)
  const known = operableCommands.filter((type) => device.commandTypes.includes(type))
  if (known.length === 0) return <Alert type="info" showIcon title={t('device.noCommands')} />
  return (
    <>
      {device.connectivity !== 'ONLINE' && <Alert type="warning" showIcon title={t('device.commandWaits')} />}
      <Flex gap="small" wrap>
        {known.map((type) => (
          <Button
            key={type}
            loading={send.isPending && send.variables.body.type === type}
            onClick={() =>
              needsParameters.includes(type) ? setAsking(type) : send.mutate({ body: { deviceId: device.id, type } })
            }
          >
            {enumLabel('commandType', type, lang)}
          </Button>
        ))}
      </Flex>
      {asking && <ParameterDialog deviceId={device.id} type={asking} onClose={() => setAsking(undefined)} />}
    </>
  )
}

/** A button for each command of the model, and the states of the last ones. */
export const CommandsTab = ({ device }: { device: DeviceDetail }) => {
  const maySend = useHasPermission('device:command:create')
  const mayTalk = useHasPermission('device:command:audio')
  const query = useQuery({
    ...inlineQuery(deviceCommands.list, { query: { deviceId: device.id } }),
    refetchInterval: ({ state }) =>
      state.data?.some((item) => !isCommandOver(item.state) || isAudioOpen(item)) ? RUNNING_POLL_MS : false,
  })
  return (
    <Flex vertical gap="middle">
      {maySend && device.lifecycle !== 'RETIRED' && <CommandButtons device={device} />}
      {mayTalk && device.lifecycle !== 'RETIRED' && <AudioControls device={device} commands={query.data ?? []} />}
      <QueryResult query={query}>{(rows) => <CommandTable rows={rows} />}</QueryResult>
    </Flex>
  )
}
