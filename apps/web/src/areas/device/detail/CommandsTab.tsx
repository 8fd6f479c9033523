import {
  CommandDraft,
  type DeviceCommandRow,
  DeviceCommandRow as Row,
  deviceCommands,
  isCommandOver,
  type OperableCommand,
  operableCommands,
} from '@tocsin/contract/device/command'
import type { DeviceDetail } from '@tocsin/contract/device/device'
import { labelIn } from '@tocsin/contract/field'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Flex, Form, Input, InputNumber, Switch, Table } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'

/** While one of them runs its state is read so often; nothing tells when a command left the gateway. */
const RUNNING_POLL_MS = 2_000

const needsParameters: readonly OperableCommand[] = ['SIREN', 'LED', 'PLAY_TTS']

const CommandDialog = ({
  deviceId,
  type,
  onClose,
}: {
  deviceId: number
  type: OperableCommand
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const { mutateAsync, isPending } = useApiMutation(deviceCommands.create, { fieldsInline: true })
  const label = enumLabel('commandType', type, lang)
  const submit = async (values: Partial<CommandDraft>) => {
    await mutateAsync({ body: { ...values, deviceId, type } }).then(onClose, (error: unknown) =>
      showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={label}
      okText={label}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ seconds: 10, on: true }}
        onFinish={(values: Partial<CommandDraft>) => void submit(values)}
      >
        {type === 'PLAY_TTS' && (
          <Field of={CommandDraft} name="text">
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
      </Form>
    </AppModal>
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
      {asking && <CommandDialog deviceId={device.id} type={asking} onClose={() => setAsking(undefined)} />}
    </>
  )
}

const Cancel = ({ command }: { command: DeviceCommandRow }) => {
  const { t } = useTranslation()
  const { mutate, isPending } = useApiMutation(deviceCommands.cancel)
  if (command.state !== 'CREATED') return null
  return (
    <Button size="small" type="link" loading={isPending} onClick={() => mutate({ body: { id: command.id } })}>
      {t('list.cancel')}
    </Button>
  )
}

/** A button for each command that the model knows, and how the last ones went. */
export const CommandsTab = ({ device }: { device: DeviceDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const maySend = useHasPermission('device:command:create')
  const query = useQuery({
    ...inlineQuery(deviceCommands.list, { query: { deviceId: device.id } }),
    refetchInterval: ({ state }) => (state.data?.some((one) => !isCommandOver(one.state)) ? RUNNING_POLL_MS : false),
  })
  const { shape } = Row
  return (
    <Flex vertical gap="middle">
      {maySend && device.lifecycle !== 'RETIRED' && <CommandButtons device={device} />}
      <QueryResult query={query}>
        {(rows) => (
          <Table
            size="small"
            rowKey={({ id }) => id}
            pagination={false}
            dataSource={rows}
            scroll={{ x: 'max-content' }}
            locale={{ emptyText: <Empty description={t('device.noCommandsYet')} /> }}
            columns={[
              { key: 'at', title: labelIn(lang, shape.createdAt), render: (_, row) => formatDateTime(row.createdAt) },
              {
                key: 'type',
                title: labelIn(lang, shape.type),
                render: (_, row) => enumLabel('commandType', row.type, lang),
              },
              {
                key: 'state',
                title: labelIn(lang, shape.state),
                render: (_, row) => <EnumTag kind="commandState" value={row.state} />,
              },
              {
                key: 'result',
                title: labelIn(lang, shape.result),
                render: (_, { result }) => (result ? <code>{JSON.stringify(result)}</code> : '–'),
              },
              { key: 'by', dataIndex: 'requestedByName', title: labelIn(lang, shape.requestedBy) },
              { key: 'cancel', render: (_, row) => maySend && <Cancel command={row} /> },
            ]}
          />
        )}
      </QueryResult>
    </Flex>
  )
}
