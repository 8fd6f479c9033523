import { TRUSTED_SKEW_MS } from '@tocsin/contract/device/device'
import { unpressedKinds } from '@tocsin/contract/device/model'
import type { PressProof } from '@tocsin/contract/device/school-device-verbs'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

/** A cancel shows that the device was pressed before, but not that its alarm arrives. */
const unprovingCodes = ['CANCEL', 'DURESS_CANCEL']

type Window = { from: RawBuilder<Date>; to: RawBuilder<Date> }

/**
 * The presses that prove an installed button, for a subquery: an alarm of a code of its model, made while the device hung
 * there and, if given, inside the window. The trusted time of the device counts; a message that is sent again without one
 * proves nothing. Everything that asks whether a button works asks this.
 * @param installation id of the row of `school_device`
 */
export const selectProvingPresses = (installation: RawBuilder<unknown>, window?: Window) => {
  const from = window ? sql`, ${window.from}` : sql``
  const to = window ? sql`and press.occurred_at < ${window.to}` : sql``
  return sql`
    select press.occurred_at, press.received_at, press.record_id
    from school_device as hung join device as pressed on pressed.id = hung.device_id
      join device_model as model on model.id = pressed.model_id
      cross join lateral (select greatest(coalesce(hung.installed_at, hung.valid_from)${from}) as since) as bounds
      join signal as press on press.device_id = hung.device_id
    where hung.id = ${installation} and press.kind = 'ALARM'
      and press.code = any(model.alarm_codes) and press.code <> all(${unprovingCodes})
      and press.received_at >= bounds.since and press.occurred_at >= bounds.since - ${window ? sql`interval '0'` : sql`interval '30 seconds'`}
      and press.occurred_at < coalesce(hung.valid_to, 'infinity') ${to}
      and coalesce(press.time_proven, not (press.occurred_at = press.received_at
        and (coalesce((press.body ->> 'replay')::boolean, false) or abs(coalesce(press.skew_ms, 0)) > ${TRUSTED_SKEW_MS})))`
}

/** The last press that proves the installation, with what happened on the way to a desk after it. */
export const findPressProof = async (db: Db, installationId: number): Promise<PressProof | null> => {
  const { rows } = await sql<PressProof>`
    select proof.occurred_at, proof.received_at, coalesce(record.commissioning, false) as commissioning,
      case when record.displayed_at >= proof.received_at then record.displayed_at end as displayed_at,
      case when record.sounded_at >= proof.received_at then record.sounded_at end as sounded_at
    from (${selectProvingPresses(sql.lit(installationId))}) as proof left join warn_record as record on record.id = proof.record_id
    order by proof.received_at desc limit 1`.execute(
    unscoped(db, 'signals of a device whose installation was read in the visibility of the caller'),
  )
  return rows[0] ?? null
}

/** Whether a device of this model can be proven by a press at all: a camera cannot. */
export const canBePressed = async (db: Db, deviceId: number): Promise<boolean> => {
  const { alarmCodes, kind } = await unscoped(db, 'the model of a device that was read in the visibility of the caller')
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['deviceModel.alarmCodes', 'deviceModel.kind'])
    .where('device.id', '=', deviceId)
    .executeTakeFirstOrThrow()
  return alarmCodes.length > 0 || !unpressedKinds.includes(kind)
}
