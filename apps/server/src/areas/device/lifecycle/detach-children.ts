import { codes } from '@tocsin/contract/codes'
import { emitEvents } from '#db/event'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { endInstallationPeriod } from './end-installation-period.ts'
import { BusinessError } from '#http/business-error'

const MAX_NAMED = 5

export type DetachedChild = Pick<Row<'device'>, 'id' | 'sn' | 'schoolId' | 'deptId'>

/**
 * Takes the devices below a gateway that leaves off it. They cannot send through it any more, so the user must have been
 * told which they are. @throws with their serial numbers unless `withChildren`
 */
export const detachChildren = async (
  trx: Db,
  { id, sn }: Pick<Row<'device'>, 'id' | 'sn'>,
  withChildren: boolean | undefined,
): Promise<DetachedChild[]> => {
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
  if (children.length === 0) return []
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
  return children
}

/** After the locks of the gateway itself (decision 016). */
export const endPeriodsBelowGateway = async (trx: Db, children: readonly DetachedChild[]): Promise<void> => {
  for (const child of children) await endInstallationPeriod(trx, child, 'GATEWAY_CHANGED')
}

/** What hangs below a gateway hangs below the gateway that replaces it, which may itself have hung there. */
export const passChildren = async (trx: Db, oldId: number, newId: number): Promise<DetachedChild[]> => {
  const all = unscoped(trx, 'devices below a gateway that was locked in the visibility of the caller')
  await all
    .updateTable('device')
    .set({ gatewayId: null })
    .where('id', '=', newId)
    .where('gatewayId', '=', oldId)
    .execute()
  return all
    .updateTable('device')
    .set({ gatewayId: newId })
    .where('gatewayId', '=', oldId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('device as newer')
          .innerJoin('deviceModel', 'deviceModel.id', 'newer.modelId')
          .select('newer.id')
          .where('newer.id', '=', newId)
          .where('deviceModel.kind', '=', 'GATEWAY'),
      ),
    )
    .returning(['id', 'sn', 'schoolId', 'deptId'])
    .execute()
}
