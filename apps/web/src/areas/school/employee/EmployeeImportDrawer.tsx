import { EmployeeSheetRow, employeeImports, employees } from '@tocsin/contract/school/employee-calls'
import { useTranslation } from 'react-i18next'
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
export const EmployeeImportDrawer = ({ onClose }: { onClose: () => void }) => (
  <ImportDrawer definition={definition} options={{}} onClose={onClose} />
)
