import type { PressProof } from '@tocsin/contract/device/school-device-verbs'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'

type Installation = Pick<Row<'schoolDevice'>, 'deviceId' | 'installedAt' | 'validFrom'>

/** The last press of the device since its installation here, with its milestones on the way to a desk. */
export const findPressProof = async (
  db: Db,
  { deviceId, installedAt, validFrom }: Installation,
): Promise<PressProof | null> => {
  const found = await unscoped(db, 'signals of a device whose installation was read in the visibility of the caller')
    .selectFrom('signal')
    .leftJoin('warnRecord', 'warnRecord.id', 'signal.recordId')
    .select(['signal.occurredAt', 'signal.receivedAt', 'warnRecord.displayedAt', 'warnRecord.soundedAt'])
    .where('signal.deviceId', '=', deviceId)
    .where('signal.kind', '=', 'ALARM')
    .where('signal.receivedAt', '>=', installedAt ?? validFrom)
    .orderBy('signal.receivedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** Whether a device of this model can be proven by a press at all: a camera cannot. */
export const canBePressed = async (db: Db, deviceId: number): Promise<boolean> => {
  const { alarmCodes } = await unscoped(db, 'the model of a device that was read in the visibility of the caller')
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select('deviceModel.alarmCodes')
    .where('device.id', '=', deviceId)
    .executeTakeFirstOrThrow()
  return alarmCodes.length > 0
}
