import { stepSounds, type StepSound } from '@tocsin/contract/alarm/checklist'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

const ofRecord = (db: Db) => unscoped(db, 'the device of a record that was read within the visibility of the caller')

/** The device of a record while it still hangs where the alarm was raised: elsewhere it would alarm other people. */
export const findRecordDevice = (db: Db, recordId: number) =>
  ofRecord(db)
    .selectFrom('warnRecord')
    .innerJoin('schoolDevice', 'schoolDevice.id', 'warnRecord.schoolDeviceId')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['device.id', 'device.schoolId', 'device.deptId', 'deviceModel.commandSchema'])
    .select(['warnRecord.silent', 'warnRecord.duress', 'warnRecord.open'])
    .where('warnRecord.id', '=', recordId)
    .where('schoolDevice.validTo', 'is', null)
    .executeTakeFirst()

/** What the device may do for a step now. Sound would betray who pressed a silent alarm. */
export const listSounds = async (db: Db, recordId: number): Promise<StepSound[]> => {
  const device = await findRecordDevice(db, recordId)
  if (!device?.open || device.silent || device.duress) return []
  return stepSounds.filter((type) => type in device.commandSchema)
}
