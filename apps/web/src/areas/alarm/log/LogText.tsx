import type { WarnLog } from '@tocsin/contract/alarm/log'
import { formatLogText } from '@tocsin/contract/alarm/log-text'
import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { EnumTag, EnumLabel } from '#ui/EnumTag.tsx'
import { formatActor } from '#ui/workflow/format-actor.ts'

/** The values of a log entry besides its transition, as `name: value`. */
export const Payload = ({ payload }: { payload: WarnLog['payload'] }) => {
  const text = formatLogText(payload, useLang())
  if (text === '') return null
  return (
    <Typography.Text type="secondary" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Typography.Text>
  )
}

/** From state to state; `none` when the state did not change. */
export const Transition = ({ entry, none = null }: { entry: WarnLog; none?: string | null }) => {
  if (!entry.toState || entry.fromState === entry.toState) return none
  return (
    <span>
      {entry.fromState && (
        <>
          <EnumTag kind="recordState" value={entry.fromState} /> →{' '}
        </>
      )}
      <EnumTag kind="recordState" value={entry.toState} />
    </span>
  )
}

export const Action = ({ entry }: { entry: WarnLog }) => <EnumLabel kind="traceVerb" value={entry.verb} />

/** The actor; the system has no name of its own. */
export const LogActor = ({ entry }: { entry: WarnLog }) => {
  const { t } = useTranslation()
  if (entry.actorId === null) return <>{t('alarm.system')}</>
  return <>{formatActor(entry)}</>
}
