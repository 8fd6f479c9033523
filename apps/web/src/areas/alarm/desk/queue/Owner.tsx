import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { useTranslation } from 'react-i18next'
import { useSession } from '#api/session.ts'
import { leaseSecondsLeft, useServerNow } from '../clock.ts'

const Lease = ({ record, name }: { record: WarnRecordRow; name: string }) => {
  const { t } = useTranslation()
  const left = leaseSecondsLeft(record.leaseUntil, useServerNow()) ?? 0
  return <>{t(left > 0 ? 'desk.claimedBy' : 'desk.claimLapsing', { name, n: left })}</>
}

/** Who has it and for how long, or who had it. */
export const Owner = ({ record }: { record: WarnRecordRow }) => {
  const { t } = useTranslation()
  const me = useSession((session) => session.user?.id)
  const { state, ownerId, ownerName, lastOwnerName, leaseUntil } = record
  if (ownerId !== null) {
    const name = ownerId === me ? t('desk.me') : (ownerName ?? `#${ownerId}`)
    return (
      <span className="desk-owner" data-mine={ownerId === me}>
        {state === 'CLAIMED' && leaseUntil ? <Lease record={record} name={name} /> : t('desk.ownedBy', { name })}
      </span>
    )
  }
  if (lastOwnerName) return <span className="desk-owner">{t('desk.wasClaimedBy', { name: lastOwnerName })}</span>
  // What ended by itself never had anybody, and calls for nobody.
  return record.open ? <span className="desk-owner">{t('desk.nobody')}</span> : null
}
