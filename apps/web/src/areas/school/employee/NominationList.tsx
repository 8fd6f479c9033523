import type { Nomination } from '@tocsin/contract/school/employee'
import { Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { EnumTag } from '#ui/EnumTag.tsx'

/** The responsibilities of a person, one line each. */
export const NominationList = ({ nominations }: { nominations: readonly Nomination[] }) => {
  const { t } = useTranslation()
  if (nominations.length === 0) return <Typography.Text type="secondary">{t('employee.notNamed')}</Typography.Text>
  return (
    <Flex vertical gap="small">
      {nominations.map(({ what, where, schoolId }) => (
        <Flex key={`${what} ${schoolId} ${where}`} gap="small" align="center">
          <EnumTag kind="nomination" value={what} />
          {where}
        </Flex>
      ))}
    </Flex>
  )
}
