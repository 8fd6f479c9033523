import type { TimerStep } from '@tocsin/contract/alarm/machine'
import { blankSheet, type Locked, writeSheet } from '#areas/alarm/intake/write'
import { linked } from '#areas/alarm/log'
import type { Scene } from '#areas/alarm/verb/scene'
import type { Db } from '#db/db'
import { everything } from '#db/scope'
import type { TimerKey } from '#timer/timer'
import { readSeconds } from './timing.ts'

type Reminder = { ring: boolean; payload?: Record<string, unknown> }

/** What steps of several locked records do that changes no case: it waits here and is written in one statement. */
export type Page = {
  /** Written down and heard. @returns the scene after it; a verb about it comes after `write`. */
  remind: (scene: Scene, step: string, reminder: Reminder) => Scene
  plan: (key: TimerKey, seconds: number) => void
  /** Seconds of a step for this record. */
  seconds: (record: Locked, step: TimerStep) => number | null
  write: () => Promise<void>
}

/** @param scenes every record that the page will hear of. */
export const openPage = async (trx: Db, scenes: readonly Scene[]): Promise<Page> => {
  const all = everything(trx, 'timer steps of a record act for nobody in particular')
  const seconds = await readSeconds(
    trx,
    scenes.map(({ record }) => record),
  )
  let sheet = blankSheet()
  return {
    remind: (scene, step, { ring, payload = {} }) => {
      const { record, now } = scene
      const { id: ref, state, schoolId, deptId } = record
      const { rows, head } = linked(record, now, [
        { kind: 'DELIVERY', verb: step, actor: 'system', from: state, to: state, payload },
      ])
      const after = { ...record, ...head }
      sheet.changed.push(after)
      sheet.log.push(...rows)
      sheet.events.push({ type: ring ? 'alarm.again' : 'alarm.changed', ref, schoolId, deptId })
      return { ...scene, record: after }
    },
    plan: (key, seconds) => void sheet.timers.push({ ...key, seconds }),
    seconds,
    write: async () => {
      if (sheet.log.length === 0) return
      const written = sheet
      sheet = blankSheet()
      await writeSheet(all, written)
    },
  }
}
