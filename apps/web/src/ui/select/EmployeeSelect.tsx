import type { EmployeeKind, EmployeeOption } from '@tocsin/contract/school/employee'
import { employees } from '@tocsin/contract/school/employee-calls'
import { useQuery } from '@tanstack/react-query'
import { Select, type SelectProps } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { useDebouncedValue } from '../list/use-debounced-value.ts'

type Props = Omit<SelectProps<number>, 'options'> & {
  /** Only people of this school. */
  schoolId?: number | undefined
  deptId?: number | undefined
  kind?: EmployeeKind[] | undefined
}

/** A select of employees who work there, by name or number; a selected one keeps the name after leaving. */
export const EmployeeSelect = ({ schoolId, deptId, kind, value, ...rest }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [typed, setTyped] = useState('')
  const keyword = useDebouncedValue(typed)
  const query = {
    pageSize: 50,
    ...(keyword && { keyword }),
    ...(schoolId !== undefined && { schoolId }),
    ...(deptId !== undefined && { deptId }),
    ...(kind && { kind }),
  }
  const found = useQuery({ ...queryFor(employees.simpleList, { query }), placeholderData: (before) => before })
  const chosen = useQuery({
    ...queryFor(employees.simpleList, { query: { ids: [value ?? 1] } }),
    enabled: typeof value === 'number',
  })
  const rows = [...(found.data ?? []), ...(typeof value === 'number' ? (chosen.data ?? []) : [])]
  const label = ({ name, employeeNo, kind: of }: EmployeeOption) =>
    `${name} ${employeeNo} · ${enumLabel('employeeKind', of, lang)}`
  const options = [...new Map(rows.map((row) => [row.id, { value: row.id, label: label(row) }])).values()]
  return (
    <Select<number>
      allowClear
      loading={found.isFetching}
      placeholder={t('employee.choose')}
      options={options}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      {...(value !== undefined && { value })}
      {...rest}
    />
  )
}
