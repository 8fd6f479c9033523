import { SchoolQuery, type SchoolRow, schoolStages, schoolStatuses, schools } from '@tocsin/contract/school/school'
import { schoolEdits } from '@tocsin/contract/school/school-edits'
import type { SchoolVerb } from '@tocsin/contract/school/school-status'
import { ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EnumSelect, Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { DeptSelect } from './DeptSelect.tsx'
import { schoolColumns } from './school-columns.tsx'
import { SchoolVerbDialog, useSchoolVerbs } from './SchoolVerbDialog.tsx'
import { SchoolSheetRow, schoolImports } from '@tocsin/contract/school/school-import'
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
const SchoolImportDrawer = ({ onClose }: { onClose: () => void }) => (
  <ImportDrawer definition={definition} options={{}} onClose={onClose} />
)

const filters = (
  <>
    <Filter of={SchoolQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={SchoolQuery} name="stage">
      <EnumSelect kind="stage" values={schoolStages} />
    </Filter>
    <Filter of={SchoolQuery} name="policeDeptId">
      <DeptSelect of="stations" allowClear />
    </Filter>
    <Filter of={SchoolQuery} name="status">
      <EnumSelect kind="schoolStatus" values={schoolStatuses} />
    </Filter>
    <Filter of={SchoolQuery} name="openAlarms">
      <YesNo />
    </Filter>
    <Filter of={SchoolQuery} name="noStation">
      <YesNo />
    </Filter>
  </>
)

type Acting = { verb: SchoolVerb; school: SchoolRow }

const SchoolRowActions = ({ school, onVerb }: { school: SchoolRow; onVerb: (verb: SchoolVerb) => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const mayUpdate = useHasPermission('school:school:update')
  const mayDelete = useHasPermission('school:school:delete')
  const mayPlaces = useHasPermission('school:place:query')
  const verbsOf = useSchoolVerbs()
  const remove = useDeletion(schoolEdits.delete)
  const detail = `/school/detail/${school.id}`
  return (
    <RowActions
      items={[
        { key: 'detail', label: t('list.detail'), run: () => void navigate(detail) },
        mayPlaces && { key: 'places', label: t('school.places'), run: () => void navigate(`${detail}?tab=places`) },
        mayUpdate &&
          school.status !== 'CLOSED' && {
            key: 'edit',
            label: t('list.edit'),
            run: () => void navigate(`/school/form?id=${school.id}`),
          },
        ...verbsOf(school).map((verb) => ({
          key: verb,
          label: enumLabel('schoolVerb', verb, lang),
          run: () => onVerb(verb),
          danger: verb === 'close',
        })),
        mayDelete && {
          key: 'delete',
          label: t('list.delete'),
          run: () => void remove(school.id, school.name),
          danger: true,
        },
      ]}
    />
  )
}

/** All visible schools. */
export const SchoolPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  // The list of jobs links here to continue an import.
  const [isImporting, setImporting] = useState(params.has('import'))
  const [acting, setActing] = useState<Acting>()
  const mayCreate = useHasPermission('school:school:create')
  const mayImport = useHasPermission('school:school:import')
  const mayExport = useHasPermission('school:school:export')
  const closeImport = () => {
    setImporting(false)
    if (params.has('import'))
      setParams((now) => {
        now.delete('import')
        return now
      })
  }
  const buttons = (mayCreate || mayImport) && (
    <Flex gap="small" wrap>
      {mayCreate && (
        <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate('/school/form')}>
          {t('list.create')}
        </Button>
      )}
      {mayImport && (
        <Button icon={<ImportOutlined />} onClick={() => setImporting(true)}>
          {t('importing.import')}
        </Button>
      )}
    </Flex>
  )
  return (
    <>
      <ListPage
        query={SchoolQuery}
        source={(query) => queryFor(schools.page, { query })}
        columns={schoolColumns}
        rowKey={({ id }) => id}
        filters={filters}
        left={buttons}
        exporting={(query) => mayExport && <ExportButton calls={schoolEdits} query={query} />}
        actions={(school) => <SchoolRowActions school={school} onVerb={(verb) => setActing({ verb, school })} />}
        onOpen={({ id }) => void navigate(`/school/detail/${id}`)}
        empty={{ text: t('school.noSchools'), next: buttons }}
      />
      {isImporting && <SchoolImportDrawer onClose={closeImport} />}
      {acting && <SchoolVerbDialog {...acting} onClose={() => setActing(undefined)} />}
    </>
  )
}
