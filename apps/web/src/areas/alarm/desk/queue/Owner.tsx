import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { useTranslation } from 'react-i18next'
import { useSession } from '#api/session.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { lapsingSeconds } from '../clock.ts'

const Lease = ({ record, name }: { record: WarnRecordRow; name: string }) => {
  const { t } = useTranslation()
  const left = lapsingSeconds(record.leaseUntil, useServerTime())
  return <>{left === null ? t('desk.claimedBy', { name }) : t('desk.claimLapsing', { name, n: left })}</>
}

/** The owner of a record, or its last owner. */
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
  // The state of a new record already says that nobody has claimed it. A record that closed automatically never had an owner.
  return record.open && state !== 'NEW' ? <span className="desk-owner">{t('desk.nobody')}</span> : null
}
