import { codes } from '@tocsin/contract/codes'
import { emitEvents } from '#db/event'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'

const MAX_NAMED = 5

/**
 * Takes the devices below a gateway that leaves off it. They cannot send through it any more, so the user must have been
 * told which they are. @throws with their serial numbers unless `withChildren`
 */
export const detachChildren = async (
  trx: Db,
  { id, sn }: Pick<Row<'device'>, 'id' | 'sn'>,
  withChildren: boolean | undefined,
): Promise<void> => {
  const all = unscoped(
    trx,
    'serial numbers of the devices below a gateway that was locked in the visibility of the caller',
  )
  const children = await all
    .selectFrom('device')
    .select(['id', 'sn', 'schoolId', 'deptId'])
    .where('gatewayId', '=', id)
    .where('lifecycle', '!=', 'RETIRED')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (children.length === 0) return
  const named = children.slice(0, MAX_NAMED).map((child) => child.sn)
  if (!withChildren)
    throw new BusinessError(codes.gatewayHasChildren, { sn, count: children.length, names: named.join('、') })
  await all.updateTable('device').set({ gatewayId: null }).where('gatewayId', '=', id).execute()
  await emitEvents(
    trx,
    ...children.map((child) => ({
      type: 'device.changed' as const,
      ref: child.id,
      schoolId: child.schoolId,
      deptId: child.deptId,
    })),
  )
}
