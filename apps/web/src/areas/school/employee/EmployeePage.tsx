import { EmployeeQuery, type EmployeeRow, employeeKinds } from '@tocsin/contract/school/employee'
import { employees, EmployeeSheetRow, employeeImports } from '@tocsin/contract/school/employee-calls'
import { employeeStatuses } from '@tocsin/contract/school/employee-lifecycle'
import { ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EnumSelect, Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { type RowAction, RowActions } from '#ui/list/RowActions.tsx'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { AccountDrawer } from './AccountDrawer.tsx'
import { employeeColumns } from './employee-columns.tsx'
import { EmployeeDrawer } from './EmployeeDrawer.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { useEmployeeVerbs } from './use-employee-verbs.ts'
import type { ImportDefinition } from '#ui/import/import-definition.ts'
import { ImportDrawer } from '#ui/import/ImportDrawer.tsx'

const definition: ImportDefinition = {
  endpoints: employeeImports,
  jobName: 'employee-import',
  sheet: EmployeeSheetRow,
  key: 'employeeNo',
  list: employees.page,
  useTexts: () => {
    const { t } = useTranslation()
    return { title: t('employee.importTitle'), help: t('employee.importHelp') }
  },
}

/** The register of a school from a spreadsheet. */
const EmployeeImportDrawer = ({ onClose }: { onClose: () => void }) => (
  <ImportDrawer definition={definition} options={{}} onClose={onClose} />
)

const filters = (
  <>
    <Filter of={EmployeeQuery} name="keyword">
      <Input allowClear maxLength={30} />
    </Filter>
    <Filter of={EmployeeQuery} name="schoolId">
      <SchoolSelect />
    </Filter>
    <Filter of={EmployeeQuery} name="kind">
      <EnumSelect kind="employeeKind" values={employeeKinds} />
    </Filter>
    <Filter of={EmployeeQuery} name="status">
      <EnumSelect kind="employeeStatus" values={employeeStatuses} />
    </Filter>
    <Filter of={EmployeeQuery} name="certDue">
      <YesNo />
    </Filter>
    <Filter of={EmployeeQuery} name="hasAccount">
      <YesNo />
    </Filter>
  </>
)

type Open = { what: 'new' } | { what: 'import' } | { what: 'edit' | 'leave' | 'account'; person: EmployeeRow }

const OpenDialog = ({ open, onClose }: { open: Open; onClose: () => void }) => {
  if (open.what === 'import') return <EmployeeImportDrawer onClose={onClose} />
  if (open.what === 'new') return <EmployeeDrawer person={undefined} onClose={onClose} />
  if (open.what === 'leave') return <LeaveDialog person={open.person} onClose={onClose} />
  if (open.what === 'account') return <AccountDrawer person={open.person} onClose={onClose} />
  return <EmployeeDrawer key={open.person.id} person={open.person} onClose={onClose} />
}

/** People of schools, stations and operators. */
export const EmployeePage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  // The list of jobs links here to continue an import.
  const [open, setOpen] = useState<Open | undefined>(params.has('import') ? { what: 'import' } : undefined)
  const mayCreate = useHasPermission('school:employee:create')
  const mayUpdate = useHasPermission('school:employee:update')
  const mayDelete = useHasPermission('school:employee:delete')
  const mayAccount = useHasPermission('school:employee:account')
  const mayImport = useHasPermission('school:employee:import')
  const mayExport = useHasPermission('school:employee:export')
  const remove = useDeletion(employees.delete)
  const verbsOf = useEmployeeVerbs((person) => setOpen({ what: 'leave', person }))
  const close = () => {
    setOpen(undefined)
    if (params.has('import'))
      setParams((now) => {
        now.delete('import')
        return now
      })
  }
  const actionsOf = (person: EmployeeRow): (RowAction | false)[] => [
    { key: 'detail', label: t('list.detail'), run: () => void navigate(`/school/employee/${person.id}`) },
    mayUpdate && { key: 'edit', label: t('list.edit'), run: () => setOpen({ what: 'edit', person }) },
    mayAccount &&
      person.userId === null &&
      person.status !== 'LEFT' && {
        key: 'account',
        label: t('employee.openAccount'),
        run: () => setOpen({ what: 'account', person }),
      },
    ...verbsOf(person).map(({ name, label, run }) => ({ key: name, label, run, danger: name === 'leave' })),
    mayDelete &&
      person.userId === null && {
        key: 'delete',
        label: t('list.delete'),
        run: () => void remove(person.id, person.name),
        danger: true,
      },
  ]
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
      {t('list.create')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={EmployeeQuery}
        source={(query) => queryFor(employees.page, { query })}
        columns={employeeColumns}
        rowKey={({ id }) => id}
        filters={filters}
        left={
          <>
            {create}
            {mayImport && (
              <Button icon={<ImportOutlined />} onClick={() => setOpen({ what: 'import' })}>
                {t('importing.import')}
              </Button>
            )}
          </>
        }
        exporting={(query) => mayExport && <ExportButton calls={employees} query={query} />}
        onOpen={({ id }) => void navigate(`/school/employee/${id}`)}
        actions={(person) => <RowActions items={actionsOf(person)} />}
        empty={{ text: t('employee.none'), next: create }}
      />
      {open && <OpenDialog open={open} onClose={close} />}
    </>
  )
}
