import { SchoolRow } from '@tocsin/contract/school/school'
import { column } from '#ui/column.tsx'

export const schoolColumns = [
  column(SchoolRow, 'name', { main: true }),
  column(SchoolRow, 'code', { wideOnly: true }),
  column(SchoolRow, 'stage', { word: 'stage' }),
  column(SchoolRow, 'areaType', { word: 'areaType', wideOnly: true }),
  column(SchoolRow, 'policeDeptName'),
  column(SchoolRow, 'studentCount', { figure: true, wideOnly: true }),
  column(SchoolRow, 'deviceCount', { figure: true }),
  column(SchoolRow, 'dutyPhone'),
  column(SchoolRow, 'readiness', { figure: true, wideOnly: true }),
  column(SchoolRow, 'status', { tag: 'schoolStatus' }),
]
