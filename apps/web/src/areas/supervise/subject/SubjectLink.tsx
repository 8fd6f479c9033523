import type { SupervisionOrderDetail } from '@tocsin/contract/supervise/order'
import { Link } from 'react-router'
import { useHasPermission } from '#api/session.ts'
import { usePathOf } from '#shell/path-of.ts'

type Subject = Pick<SupervisionOrderDetail, 'subjectType' | 'subjectId' | 'subjectLabel'>

/** The page of a subject; undefined for readers who do not have it. */
const useSubjectPath = ({ subjectType, subjectId }: Subject): string | undefined => {
  const records = usePathOf()('warn/record/index')
  const mayDevice = useHasPermission('device:school-device:query')
  const maySchool = useHasPermission('school:school:query')
  if (subjectType === 'WARN_RECORD') return records && `${records}?record=${subjectId}`
  if (subjectType === 'SCHOOL_DEVICE') return mayDevice ? `/schoolDevice/detail/${subjectId}` : undefined
  return subjectType === 'SCHOOL' && maySchool ? `/school/detail/${subjectId}` : undefined
}

/** The alarm, installed device or school that an order is about. */
export const SubjectLink = (subject: Subject) => {
  const to = useSubjectPath(subject)
  const label = subject.subjectLabel ?? '–'
  return to ? <Link to={to}>{label}</Link> : label
}
