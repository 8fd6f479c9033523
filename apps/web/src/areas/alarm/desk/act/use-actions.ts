import { refusal } from '@tocsin/contract/alarm/machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { codes } from '@tocsin/contract/codes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/error.ts'
import { showError } from '#api/notices.ts'
import { useLang } from '#texts/i18n.ts'
import { notify } from '#ui/notify.ts'
import { isStale } from '#ui/stale/newer.ts'
import { chosenNow } from '../chosen.ts'
import { useQueue } from '../queue/use-queue.ts'
import { mergeTargets } from './merge-targets.ts'
import { direct, isOrphan, offer, type PersonVerb } from './offer.ts'
import { isReasonNeeded, perform, recordOf } from './perform.ts'
import { type Panel, usePanel } from './use-panel.ts'
import { usePerson } from './use-person.ts'
import { refusalText, whyText } from './why.ts'

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
    const isHere = () => chosenNow() === record.id && !writes()
    setBusy((now) => new Map(now).set(record.id, verb))
    try {
      panels.finish(given, await perform(verb, { id: record.id, ...body }))
    } catch (error) {
      if (lost(error)) notify.warning(refusalText(error, lang))
      else if (isStale(error) && isHere()) panels.open({ ...given, stale: recordOf(error) })
      else if (isReasonNeeded(error) && isHere()) panels.open(given)
      else showError(error)
    } finally {
      setBusy((now) => new Map([...now].filter(([id]) => id !== record.id)))
    }
  }

  const start = (verb: PersonVerb, record: WarnRecordRow) => {
    if (verb === 'merge' && mergeTargets(record, list ?? []).length === 0) return notify.info(t('desk.noMergeTarget'))
    if (!direct.has(verb)) return panels.open({ verb, record })
    const versioned = verb !== 'claim' && verb !== 'take' && verb !== 'release'
    void attempt({ verb, record }, versioned ? { version: record.version } : {})
  }

  /** Does the verb, opens its form, or says why not. @returns whether it had anything to do with this record. */
  const run = (verb: PersonVerb, record: WarnRecordRow): boolean => {
    // One thing at a time is done with a record; a form may be filled in meanwhile.
    if (busy.has(record.id) && direct.has(verb)) return true
    // What was typed is shown, to be sent or dropped, whatever became of the record since.
    if (panels.draftOf({ verb, record })) {
      panels.open({ verb, record })
      return true
    }
    if (verb === 'claim' && isOrphan(record)) return run('take', record)
    const found = offer(verb, record, person)
    if (found === 'hidden') return false
    if (found === 'free') start(verb, record)
    else notify.info(whyText(found, record, lang))
    return true
  }

  /** A key works without a button in sight, so that its silence would look like a fault. */
  const refuse = (verb: PersonVerb, record: WarnRecordRow) =>
    notify.info(whyText(refusal(verb, record, person) ?? codes.wrongState, record, lang))

  return { ...panels, busy, person, run, refuse }
}
export type Actions = ReturnType<typeof useActions>
