import { EmployeeRow } from '@tocsin/contract/school/employee'
import { SafetyCertificateOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { column } from '#ui/column.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'

const Mobile = ({ person: { mobile, mobileVerifiedAt } }: { person: EmployeeRow }) => {
  const { t } = useTranslation()
  if (mobile === null) return <>–</>
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {mobile}
      {mobileVerifiedAt && (
        <Tooltip title={t('employee.verified')}>
          <SafetyCertificateOutlined aria-label={t('employee.verified')} style={{ marginInlineStart: 4 }} />
        </Tooltip>
      )}
    </span>
  )
}

/** A date, in the waiting tone when it is near or past. */
const Certificate = ({ person: { certExpiresOn, certDue } }: { person: EmployeeRow }) => {
  if (certExpiresOn === null) return <>–</>
  return certDue ? <ToneTag tone="wait">{certExpiresOn}</ToneTag> : <>{certExpiresOn}</>
}

export const AccountState = ({ person: { userId, username, accountEnabled } }: { person: EmployeeRow }) => {
  const { t } = useTranslation()
  if (userId === null) return <>–</>
  return (
    <>
      {username ?? `#${userId}`}
      {accountEnabled === false && <ToneTag tone="calm">{t('employee.accountOff')}</ToneTag>}
    </>
  )
}

/** The school, or the organization of a person without a school. */
export const belonging = column(EmployeeRow, 'deptName', { show: (dept, { schoolName }) => schoolName ?? dept })

const columns = {
  name: column(EmployeeRow, 'name', { main: true }),
  employeeNo: column(EmployeeRow, 'employeeNo'),
  kind: column(EmployeeRow, 'kind', { word: 'employeeKind' }),
  post: column(EmployeeRow, 'post', { show: (post) => post ?? '–' }),
  belonging,
  mobile: column(EmployeeRow, 'mobile', { show: (_, person) => <Mobile person={person} /> }),
  certExpiresOn: column(EmployeeRow, 'certExpiresOn', { show: (_, person) => <Certificate person={person} /> }),
  account: column(EmployeeRow, 'username', { show: (_, person) => <AccountState person={person} /> }),
  status: column(EmployeeRow, 'status', { tag: 'employeeStatus' }),
}

export const employeeColumns = Object.values(columns)

const dash = (value: string | null) => value ?? '–'

export const basicColumns = [
  columns.employeeNo,
  columns.kind,
  columns.post,
  columns.belonging,
  column(EmployeeRow, 'gender', { word: 'gender' }),
  columns.mobile,
  columns.account,
  column(EmployeeRow, 'remark', { show: dash }),
  column(EmployeeRow, 'createTime'),
  column(EmployeeRow, 'updateTime'),
]

export const paperColumns = [
  column(EmployeeRow, 'certNo', { show: dash }),
  columns.certExpiresOn,
  column(EmployeeRow, 'certNoticedAt'),
  column(EmployeeRow, 'backgroundCheckedOn', { show: dash }),
]
