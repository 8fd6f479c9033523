import { schools } from '@tocsin/contract/school/school'
import { SchoolSheetRow, schoolImports } from '@tocsin/contract/school/school-import'
import { useTranslation } from 'react-i18next'
import type { ImportDefinition } from '#ui/import/import-definition.ts'
import { ImportDrawer } from '#ui/import/ImportDrawer.tsx'

const definition: ImportDefinition = {
  endpoints: schoolImports,
  jobName: 'school-import',
  sheet: SchoolSheetRow,
  key: 'code',
  list: schools.page,
  useTexts: () => {
    const { t } = useTranslation()
    return { title: t('school.importTitle'), help: t('school.importHelp') }
  },
}

/** All schools of a district from a spreadsheet. */
export const SchoolImportDrawer = ({ onClose }: { onClose: () => void }) => (
  <ImportDrawer definition={definition} options={{}} onClose={onClose} />
)
