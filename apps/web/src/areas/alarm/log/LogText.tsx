import type { WarnLog } from '@tocsin/contract/alarm/log'
import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { traceName } from '#texts/log-words.ts'
import { word, type WordKind } from '#texts/words.ts'
import { StateTag, Word } from '#ui/StateTag.tsx'
import { stamp } from '#ui/time.ts'

const kinds: Record<string, WordKind> = {
  code: 'alarmCode',
  class: 'warnClass',
  level: 'level',
  from: 'level',
  to: 'level',
  disposition: 'disposition',
  reason: 'traceVerb',
}
const instants = new Set(['occurredAt', 'until'])

const useShown = () => {
  const { t } = useTranslation()
  const lang = useLang()
  return (key: string, value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'list.yes' : 'list.no')
    if (typeof value === 'number' && instants.has(key)) return stamp(value)
    const kind = kinds[key]
    if (kind && (typeof value === 'string' || typeof value === 'number')) return word(kind, value, lang)
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}

/** What a trace entry carries besides its transition, as `name: value`. */
export const Payload = ({ payload }: { payload: WarnLog['payload'] }) => {
  const lang = useLang()
  const shown = useShown()
  const [colon, between] = lang === 'en' ? [': ', '; '] : ['：', '；']
  const given = Object.entries(payload).flatMap(([key, value]) => {
    const name = value === null || value === '' ? undefined : traceName(key, lang)
    return name === undefined ? [] : [`${name}${colon}${shown(key, value)}`]
  })
  if (given.length === 0) return null
  return (
    <Typography.Text type="secondary" style={{ overflowWrap: 'anywhere' }}>
      {given.join(between)}
    </Typography.Text>
  )
}

/** From state to state; `none` of what changed no state. */
export const Transition = ({ entry, none = null }: { entry: WarnLog; none?: string | null }) => {
  if (!entry.toState || entry.fromState === entry.toState) return none
  return (
    <span>
      {entry.fromState && (
        <>
          <StateTag kind="recordState" value={entry.fromState} /> →{' '}
        </>
      )}
      <StateTag kind="recordState" value={entry.toState} />
    </span>
  )
}

export const Action = ({ entry }: { entry: WarnLog }) => <Word kind="traceVerb" value={entry.verb} />

/** Who did it; the system has no name of its own. */
export const By = ({ entry }: { entry: WarnLog }) => {
  const { t } = useTranslation()
  return <>{entry.actorId === null ? t('alarm.system') : entry.actorName}</>
}
