import {
  type AudioCommand,
  audioCommands,
  AudioDraft,
  type DeviceCommandRow,
  deviceCommands,
  isAudioOpen,
} from '@tocsin/contract/device/command'
import type { DeviceDetail } from '@tocsin/contract/device/device'
import { Alert, Button, Flex, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { Field } from '#ui/Field.tsx'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { CommandDialog } from './CommandDialog.tsx'

type Asking = { deviceId: number; type: AudioCommand; onClose: () => void }

const AudioDialog = ({ deviceId, type, onClose }: Asking) => {
  const { t } = useTranslation()
  const { mutateAsync, isPending } = useApiMutation(deviceCommands.openAudio, {
    fieldsInline: true,
    also: [deviceCommands.list],
  })
  return (
    <CommandDialog<Pick<AudioDraft, 'reason'>>
      type={type}
      send={({ reason }) => mutateAsync({ body: { deviceId, type, reason } })}
      isSending={isPending}
      onClose={onClose}
    >
      <Field of={AudioDraft} name="reason" extra={t('device.audioHelp')}>
        <Input.TextArea maxLength={200} showCount autoFocus />
      </Field>
    </CommandDialog>
  )
}

const formatLeft = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The session with the time that is left since the device began, and its end. */
const RunningAudio = ({ command }: { command: DeviceCommandRow }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const now = useServerTime()
  const type = enumLabel('commandType', command.type, lang)
  const { mutate, isPending } = useApiMutation(deviceCommands.closeAudio, { also: [deviceCommands.list] })
  return (
    <Alert
      type="warning"
      showIcon
      title={
        command.acceptedAt === null
          ? t('device.audioWaiting', { type })
          : t('device.audioRunning', { type, left: formatLeft((command.stopAt?.getTime() ?? now) - now) })
      }
      description={command.reason}
      action={
        <Button danger loading={isPending} onClick={() => mutate({ body: { id: command.id } })}>
          ■ {t('device.audioStop')}
        </Button>
      }
    />
  )
}

type Props = { device: DeviceDetail; commands: readonly DeviceCommandRow[] }

/** Listening and talking, where the model has them; one session of a device at a time. */
export const AudioControls = ({ device, commands }: Props) => {
  const lang = useLang()
  const [asking, setAsking] = useState<AudioCommand>()
  const known = audioCommands.filter((type) => device.commandTypes.includes(type))
  if (known.length === 0) return null
  const running = commands.find(isAudioOpen)
  if (running) return <RunningAudio command={running} />
  return (
    <>
      <Flex gap="small" wrap>
        {known.map((type) => (
          <Button key={type} onClick={() => setAsking(type)}>
            {enumLabel('commandType', type, lang)}…
          </Button>
        ))}
      </Flex>
      {asking && <AudioDialog deviceId={device.id} type={asking} onClose={() => setAsking(undefined)} />}
    </>
  )
}
