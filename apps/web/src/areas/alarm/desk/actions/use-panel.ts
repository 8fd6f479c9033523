import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { useEffect, useInsertionEffect, useRef, useState } from 'react'
import { isLeaving } from '#api/call.ts'
import { useSession } from '#api/session.ts'
import { getLocalItem, SESSION_ENDED } from '#api/storage.ts'
import { i18n } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import type { PersonVerb } from './available-actions.ts'
import { loadDrafts, storeDrafts } from '../stored-drafts.ts'

/** The open form, with the record when it was opened. */
export type Panel = {
  verb: PersonVerb
  record: WarnRecordRow
  stale?: WarnRecordRow | undefined
}

export type Draft = Readonly<Record<string, unknown>>

/** The input of the form as it was opened. */
export type KeptDraft = { of: Panel; values: Draft }

const keyOf = ({ record, verb }: Panel): string => `${record.id} ${verb}`
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** The user's own change is no conflict: the other forms of that record use the new version. */
const after = (form: Panel, { record }: Panel, done: WarnRecordRow): Panel => {
  const seen = form.record.id === record.id && form.record.version === record.version
  return seen && done.id === record.id && done.version === record.version + 1 ? { ...form, record: done } : form
}

/**
 * Input survives a reload and a session that was ended, because the person did not decide to discard it. It does not
 * survive a sign-out or a page that was left after the question.
 */
const useStoredDrafts = () => {
  const [userId] = useState(() => useSession.getState().user?.id ?? 0)
  const [drafts] = useState(() => new Map(loadDrafts(userId).map((kept) => [keyOf(kept.of), kept])))
  // A hidden page keeps its drafts, so its ordinary effects cannot tell when it was left.
  useInsertionEffect(() => {
    const discard = () => storeDrafts(userId, [])
    const unsubscribe = useSession.subscribe(({ user }) => {
      if (!user && getLocalItem(SESSION_ENDED) === null) discard()
    })
    return () => {
      unsubscribe()
      if (useSession.getState().user && !isLeaving()) discard()
    }
  }, [userId])
  return { drafts, store: () => storeDrafts(userId, drafts.values()) }
}

/** The form beside the record, and all drafts: a user who switches to another alarm finds the input again. */
export const usePanel = () => {
  const [panel, setPanel] = useState<Panel>()
  const { drafts, store } = useStoredDrafts()
  const [unsent, setUnsent] = useState(drafts.size)
  const [sending, setSending] = useState<ReadonlySet<string>>(new Set())
  const shown = useRef(panel)
  useEffect(() => {
    shown.current = panel
  }, [panel])
  const keep = (of: Panel, values: Draft = {}) => {
    if (Object.values(values).some(isGiven)) drafts.set(keyOf(of), { of, values })
    else drafts.delete(keyOf(of))
    store()
    setUnsent(drafts.size)
  }
  /** Later changes of the record are shown as differences. */
  const open = (of: Panel) => setPanel({ ...of, record: drafts.get(keyOf(of))?.of.record ?? of.record })
  /** The form continues from the current record. */
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
    store()
    setPanel((now) => now && (keyOf(now) === keyOf(of) ? undefined : after(now, of, done)))
  }
  const leave = async (of: Panel) => {
    if (drafts.has(keyOf(of)) && !(await confirm({ title: i18n.t('list.discardAsk') }))) return
    keep(of)
    setPanel((now) => (now && keyOf(now) === keyOf(of) ? undefined : now))
  }
  const draftOf = (of: Panel) => drafts.get(keyOf(of))?.values
  /** The verbs with drafts for this record. */
  const begun = (id: number): ReadonlySet<PersonVerb> =>
    new Set([...drafts.values()].flatMap(({ of }) => (of.record.id === id ? [of.verb] : [])))
  const isSending = (of: Panel) => sending.has(keyOf(of))
  /** Drafts that are neither shown beside the selected record nor being submitted. */
  const lying = (chosen: number | undefined): Panel[] => {
    const seen = panel?.record.id === chosen ? panel && keyOf(panel) : undefined
    const elsewhere = (of: Panel) => keyOf(of) !== seen && !isSending(of)
    return [...drafts.values()].map(({ of }) => of).filter(elsewhere)
  }
  return { panel, shown, unsent, lying, open, draftOf, begun, isSending, keep, agree, send, finish, leave }
}
