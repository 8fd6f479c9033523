import { places } from '@tocsin/contract/school/place'
import { placeImports, PlaceSheetRow } from '@tocsin/contract/school/place-edits'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportDefinition } from '#ui/import/import-definition.ts'
import { ImportDrawer } from '#ui/import/ImportDrawer.tsx'

const definitionOf = (schoolId: number): ImportDefinition => ({
  endpoints: placeImports,
  jobName: 'place-import',
  sheet: PlaceSheetRow,
  key: 'path',
  list: places.list,
  page: `/school/detail/${schoolId}`,
  useTexts: () => {
    const { t } = useTranslation()
    return { title: t('school.placeImportTitle'), help: t('school.placeImportHelp') }
  },
})

/** Buildings, floors and rooms of one school from a spreadsheet. */
export const PlaceImportDrawer = ({ schoolId, onClose }: { schoolId: number; onClose: () => void }) => {
  const [definition] = useState(() => definitionOf(schoolId))
  return <ImportDrawer definition={definition} options={{ schoolId }} onClose={onClose} />
}
