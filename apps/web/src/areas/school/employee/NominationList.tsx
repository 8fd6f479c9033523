import type { Nomination } from '@tocsin/contract/school/employee'
import { Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePathOf } from '#shell/path-of.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { formatDateTime } from '#ui/time.ts'

/** The screen where somebody else is named instead. */
const screenOf: Partial<Record<Nomination['what'], string>> = {
  UNIT: 'police/unit',
  POLICY: 'notify/policy',
  SHIFT: 'security/shift',
}

const Where = ({ of: { what, where, schoolId } }: { of: Nomination }) => {
  const pathOf = usePathOf()
  const path = pathOf(screenOf[what] ?? '')
  if (path === undefined) return <>{where}</>
  return <Link to={what === 'SHIFT' && schoolId !== null ? `${path}?schoolId=${schoolId}` : path}>{where}</Link>
}

/** The responsibilities of a person, one line each. */
export const NominationList = ({ nominations }: { nominations: readonly Nomination[] }) => {
  const { t } = useTranslation()
  if (nominations.length === 0) return <Typography.Text type="secondary">{t('employee.notNamed')}</Typography.Text>
  return (
    <Flex vertical gap="small">
      {nominations.map((nomination) => {
        const { what, where, schoolId, shifts } = nomination
        return (
          <Flex key={`${what} ${schoolId} ${where}`} gap="small" align="center" wrap>
            <EnumTag kind="nomination" value={what} />
            <Where of={nomination} />
            {shifts && (
              <Typography.Text type="secondary">
                {t('employee.shiftsAhead', { n: shifts.count, time: formatDateTime(shifts.fromAt).slice(0, 16) })}
              </Typography.Text>
            )}
          </Flex>
        )
      })}
    </Flex>
  )
}
