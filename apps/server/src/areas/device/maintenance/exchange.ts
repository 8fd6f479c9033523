import { codes } from '@tocsin/contract/codes'
import { installationMachine } from '@tocsin/contract/device/installation'
import type { MaintenanceExchange } from '@tocsin/contract/device/maintenance'
import { whyNotMaintenance } from '@tocsin/contract/device/maintenance-machine'
import { runEdit, updateStamp } from '#areas/audit/edit-transaction'
import { addAttachments } from '#areas/files/attachment'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Caller, hasPermission } from '#http/route'
import { exchangeDevice } from '../installation/verbs.ts'
import { recordChange } from './create-order.ts'
import { LOG_OWNER } from './order-reads.ts'
import { lockOrder } from './order-verbs.ts'

const neededPermissions = [installationMachine.remove.permission, installationMachine.install.permission]

/**
 * A new device in the place of the one of the order, while the assignee is on site. The order keeps the old device and
 * its timeline names both. @returns the new installation.
 */
export const exchangeOrderDevice = (db: Db, body: MaintenanceExchange, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const may = hasPermission(caller.actor)
    const before = await lockOrder(trx, caller, body)
    const why = whyNotMaintenance('finish', before, { userId: caller.actor.userId, hasPermission: may })
    if (why) throw new BusinessError(why, { state: before.state })
    if (!neededPermissions.every(may)) throw new BusinessError(codes.forbidden)
    const visible = scoped(trx, caller.actor)
    const device = await visible.selectFrom('device').select('id').where('sn', '=', body.sn).executeTakeFirst()
    const old = await visible.selectFrom('device').select('sn').where('id', '=', before.deviceId).executeTakeFirst()
    if (!device || !old) throw new BusinessError(codes.notFound, { what: '设备' })
    const change = `${old.sn} → ${body.sn}`
    const id = await exchangeDevice(trx, caller, {
      oldId: before.deviceId,
      newId: device.id,
      reason: `${before.no} ${change}`,
    })
    const after = await unscoped(trx, 'the order was locked within the visibility of the caller')
      .updateTable('maintenanceOrder')
      .set({ parts: change, ...updateStamp(caller) })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const entry = await trx
      .insertInto('maintenanceLog')
      .values({
        orderId: before.id,
        userId: caller.actor.userId,
        verb: 'exchange',
        fromState: before.state,
        toState: after.state,
        note: change,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addAttachments(trx, {
      ownerType: LOG_OWNER,
      ownerId: entry.id,
      files: body.attachments,
      actor: caller.actor,
    })
    await recordChange(trx, caller, { action: 'work', before, after })
    return id
  })
