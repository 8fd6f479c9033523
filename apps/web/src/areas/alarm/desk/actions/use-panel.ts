import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { useEffect, useRef, useState } from 'react'
import { i18n } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import type { PersonVerb } from './available-actions.ts'

/** The form that is open, on the record as it was when it was opened. */
export type Panel = {
  verb: PersonVerb
  record: WarnRecordRow
  stale?: WarnRecordRow | undefined
}

export type Draft = Readonly<Record<string, unknown>>

/** What was typed, into the form as it was opened. */
type Kept = { of: Panel; values: Draft }

const keyOf = ({ record, verb }: Panel): string => `${record.id} ${verb}`
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** One's own act is no change by somebody else: the other forms of that record go on from it. */
const after = (form: Panel, { record }: Panel, done: WarnRecordRow): Panel => {
  const seen = form.record.id === record.id && form.record.version === record.version
  return seen && done.id === record.id && done.version === record.version + 1 ? { ...form, record: done } : form
}

/** The form beside the record, and what was typed into any: who must go to another alarm finds it again. */
export const usePanel = () => {
  const [panel, setPanel] = useState<Panel>()
  const [drafts] = useState(() => new Map<string, Kept>())
  const [unsent, setUnsent] = useState(0)
  const [sending, setSending] = useState<ReadonlySet<string>>(new Set())
  const shown = useRef(panel)
  useEffect(() => {
    shown.current = panel
  }, [panel])
  const keep = (of: Panel, values: Draft = {}) => {
    if (Object.values(values).some(isGiven)) drafts.set(keyOf(of), { of, values })
    else drafts.delete(keyOf(of))
    setUnsent(drafts.size)
  }
  /** As it was left: what became of the record since is told as a change. */
  const open = (of: Panel) => setPanel({ ...of, record: drafts.get(keyOf(of))?.of.record ?? of.record })
  /** The form goes on from the record as it is now. */
  const agree = (of: Panel, record: WarnRecordRow) => {
    const kept = drafts.get(keyOf(of))
    if (kept) keep({ ...of, record }, kept.values)
    setPanel({ ...of, record })
  }
  const send = async (of: Panel, act: () => Promise<void>) => {
    setSending((now) => new Set([...now, keyOf(of)]))
    try {
      await act()
    } finally {
      setSending((now) => new Set([...now].filter((key) => key !== keyOf(of))))
    }
  }
  const finish = (of: Panel, done: WarnRecordRow) => {
    keep(of)
    for (const kept of drafts.values()) kept.of = after(kept.of, of, done)
    setPanel((now) => now && (keyOf(now) === keyOf(of) ? undefined : after(now, of, done)))
  }
  const leave = async (of: Panel) => {
    if (drafts.has(keyOf(of)) && !(await confirm({ title: i18n.t('list.discardAsk') }))) return
    keep(of)
    setPanel((now) => (now && keyOf(now) === keyOf(of) ? undefined : now))
  }
  const draftOf = (of: Panel) => drafts.get(keyOf(of))?.values
  /** The verbs whose forms hold something for this record. */
  const begun = (id: number): ReadonlySet<PersonVerb> =>
    new Set([...drafts.values()].flatMap(({ of }) => (of.record.id === id ? [of.verb] : [])))
  const isSending = (of: Panel) => sending.has(keyOf(of))
  /** The forms with something typed that are neither on the screen beside the chosen record nor on their way. */
  const lying = (chosen: number | undefined): Panel[] => {
    const seen = panel?.record.id === chosen ? panel && keyOf(panel) : undefined
    const elsewhere = (of: Panel) => keyOf(of) !== seen && !isSending(of)
    return [...drafts.values()].map(({ of }) => of).filter(elsewhere)
  }
  return { panel, shown, unsent, lying, open, draftOf, begun, isSending, keep, agree, send, finish, leave }
}
