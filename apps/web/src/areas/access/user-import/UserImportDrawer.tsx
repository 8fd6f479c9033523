import { users } from '@tocsin/contract/access/user'
import { userImports, UserSheetRow } from '@tocsin/contract/access/user-import'
import { Form } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportDefinition, OptionsProps } from '#ui/import/import-definition.ts'
import { ImportDrawer } from '#ui/import/ImportDrawer.tsx'
import { DeptSelect } from '../DeptSelect.tsx'

/** The department of rows without one. */
const DefaultDept = ({ value: { deptId }, onChange }: OptionsProps) => {
  const { t } = useTranslation()
  const field = useId()
  return (
    <Form.Item label={t('importing.dept')} htmlFor={field}>
      <DeptSelect
        id={field}
        allowClear
        {...(typeof deptId === 'number' && { value: deptId })}
        onChange={(id) => onChange(id ? { deptId: id } : {})}
      />
    </Form.Item>
  )
}

const definition: ImportDefinition = {
  endpoints: userImports,
  jobName: 'user-import',
  sheet: UserSheetRow,
  key: 'username',
  list: users.page,
  useTexts: () => {
    const { t } = useTranslation()
    return {
      title: t('importing.users'),
      help: t('importing.usersHelp'),
      updateSupport: t('importing.usersUpdate'),
      createdHint: t('importing.codes'),
    }
  },
  Options: DefaultDept,
}

type Props = { deptId: number | undefined; onClose: () => void }

export const UserImportDrawer = ({ deptId, onClose }: Props) => (
  <ImportDrawer definition={definition} options={deptId ? { deptId } : {}} onClose={onClose} />
)
