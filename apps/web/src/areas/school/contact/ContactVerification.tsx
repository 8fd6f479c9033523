import { type EmergencyContact, VERIFICATION_DAYS } from '@tocsin/contract/school/contact'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { daysSince } from './verification.ts'

type Verified = Pick<EmergencyContact, 'verifiedOn' | 'verifiedHow' | 'verifiedBy'>

/** Whether a contact was verified by its number, when and how; an old verification counts as none. */
export const ContactVerification = ({ contact: { verifiedOn, verifiedHow, verifiedBy } }: { contact: Verified }) => {
  const { t } = useTranslation()
  const lang = useLang()
  if (!verifiedOn) return <ToneTag tone="wait">{t('school.notVerified')}</ToneTag>
  const days = daysSince(verifiedOn)
  if (days > VERIFICATION_DAYS) return <ToneTag tone="wait">{t('school.verifiedLongAgo', { n: days })}</ToneTag>
  const how = [verifiedHow && enumLabel('verificationWay', verifiedHow, lang), verifiedBy].filter(Boolean)
  return <ToneTag tone="done">{[t('school.verifiedOn', { day: verifiedOn }), ...how].join(' · ')}</ToneTag>
}
