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
import { oneClickVerbs, meantVerb, actionState, type PersonVerb } from './available-actions.ts'
import { isReasonNeeded, submitVerb, recordFromError } from './submit-verb.ts'
import { type Panel, usePanel } from './use-panel.ts'
import { usePerson } from './use-person.ts'
import { errorReasonText, reasonText } from './reason-text.ts'

/** Another user was faster: not an error of this user, who must see the name or the current state. */
const lost = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === codes.alreadyClaimed.code || error.code === codes.wrongState.code)

/** Applies a verb, by button or by key. */
export const useActions = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const person = usePerson()
  const list = useQueue().data?.list
  const panels = usePanel()
  /** Pending verbs by record: a slow one does not block the next alarm. */
  const [busy, setBusy] = useState<ReadonlyMap<number, PersonVerb>>(new Map())

  const attempt = async (given: Panel, body: Record<string, unknown>) => {
    const { verb, record } = given
    // A form opens only while its record is selected and no other form is open; otherwise a message appears.
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

  /** Applies the verb, opens its form, or shows the reason. @returns whether the verb concerned this record. */
  const run = (verb: PersonVerb, record: WarnRecordRow): boolean => {
    // One pending verb per record; a form may be filled in meanwhile.
    if (busy.has(record.id) && oneClickVerbs.has(verb)) return true
    // Earlier input is shown again, to be sent or dropped, whatever happened to the record since.
    if (panels.draftOf({ verb, record })) {
      panels.open({ verb, record })
      return true
    }
    if (meantVerb(verb, record) !== verb) return run(meantVerb(verb, record), record)
    const found = actionState(verb, record, person)
    if (found === 'hidden') return false
    if (found === 'free') start(verb, record)
    else notify.info(reasonText(found, record, lang))
    return true
  }

  /** A key works without a visible button, so its silence would look like a fault. */
  const refuse = (verb: PersonVerb, record: WarnRecordRow) =>
    notify.info(reasonText(whyNotAllowed(verb, record, person) ?? codes.wrongState, record, lang))

  return { ...panels, busy, person, run, refuse }
}
export type Actions = ReturnType<typeof useActions>
