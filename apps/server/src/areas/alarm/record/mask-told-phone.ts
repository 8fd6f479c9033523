import { maskPhone } from '@tocsin/contract/access/user-contact'
import { SEND } from '@tocsin/contract/alarm/assignment-machine'
import type { WarnLog } from '@tocsin/contract/alarm/log'
import { type Actor, hasPermission } from '#http/route'

/** The number of somebody who was told by telephone is for those who may send; other readers of a log see it masked. */
export const maskToldPhone = <T extends Pick<WarnLog, 'payload'>>(actor: Actor, entries: readonly T[]): T[] => {
  if (hasPermission(actor)(SEND)) return [...entries]
  return entries.map((entry) => {
    const phone = entry.payload['toldPhone']
    return typeof phone === 'string' ? { ...entry, payload: { ...entry.payload, toldPhone: maskPhone(phone) } } : entry
  })
}
