import { whyNotAllowed } from '@tocsin/contract/alarm/state-machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { codes } from '@tocsin/contract/codes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/error.ts'
import { showError } from '#api/messages.ts'
import { useLang } from '#texts/i18n.ts'
import { notify } from '#ui/notify.ts'
import { isStale } from '#ui/edit-conflict/remote-row.ts'
import { selectedNow } from '../selected-record.ts'
import { useQueue } from '../queue/use-queue.ts'
import { mergeTargets } from './merge-targets.ts'
import { oneClickVerbs, isUnownedEscalation, actionState, type PersonVerb } from './available-actions.ts'
import { isReasonNeeded, submitVerb, recordFromError } from './submit-verb.ts'
import { type Panel, usePanel } from './use-panel.ts'
import { usePerson } from './use-person.ts'
import { errorReasonText, reasonText } from './reason-text.ts'

/** Somebody was faster: not an error of this person, and he must see who, or how it stands now. */
const lost = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === codes.alreadyClaimed.code || error.code === codes.wrongState.code)

/** What pressing a verb does, by button or by key. */
export const useActions = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const person = usePerson()
  const list = useQueue().data?.list
  const panels = usePanel()
  /** What is under way, by record: one that takes long keeps nobody from the next alarm. */
  const [busy, setBusy] = useState<ReadonlyMap<number, PersonVerb>>(new Map())

  const attempt = async (given: Panel, body: Record<string, unknown>) => {
    const { verb, record } = given
    // A form opens beside the record it is about; who has gone on to another alarm, or writes already, hears a sentence.
    const writes = () => {
      const shown = panels.shown.current
      return shown?.record.id === record.id && shown.verb !== verb
    }
    const isHere = () => selectedNow() === record.id && !writes()
    setBusy((now) => new Map(now).set(record.id, verb))
    try {
      panels.finish(given, await submitVerb(verb, { id: record.id, ...body }))
    } catch (error) {
      if (lost(error)) notify.warning(errorReasonText(error, lang))
      else if (isStale(error) && isHere()) panels.open({ ...given, stale: recordFromError(error) })
      else if (isReasonNeeded(error) && isHere()) panels.open(given)
      else showError(error)
    } finally {
      setBusy((now) => new Map([...now].filter(([id]) => id !== record.id)))
    }
  }

  const start = (verb: PersonVerb, record: WarnRecordRow) => {
    if (verb === 'merge' && mergeTargets(record, list ?? []).length === 0) return notify.info(t('desk.noMergeTarget'))
    if (!oneClickVerbs.has(verb)) return panels.open({ verb, record })
    const versioned = verb !== 'claim' && verb !== 'take' && verb !== 'release'
    void attempt({ verb, record }, versioned ? { version: record.version } : {})
  }

  /** Does the verb, opens its form, or says why not. @returns whether it had anything to do with this record. */
  const run = (verb: PersonVerb, record: WarnRecordRow): boolean => {
    // One thing at a time is done with a record; a form may be filled in meanwhile.
    if (busy.has(record.id) && oneClickVerbs.has(verb)) return true
    // What was typed is shown, to be sent or dropped, whatever became of the record since.
    if (panels.draftOf({ verb, record })) {
      panels.open({ verb, record })
      return true
    }
    if (verb === 'claim' && isUnownedEscalation(record)) return run('take', record)
    const found = actionState(verb, record, person)
    if (found === 'hidden') return false
    if (found === 'free') start(verb, record)
    else notify.info(reasonText(found, record, lang))
    return true
  }

  /** A key works without a button in sight, so that its silence would look like a fault. */
  const refuse = (verb: PersonVerb, record: WarnRecordRow) =>
    notify.info(reasonText(whyNotAllowed(verb, record, person) ?? codes.wrongState, record, lang))

  return { ...panels, busy, person, run, refuse }
}
export type Actions = ReturnType<typeof useActions>
