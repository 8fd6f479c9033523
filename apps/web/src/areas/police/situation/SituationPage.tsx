import { PlusOutlined } from '@ant-design/icons'
import {
  CATEGORY_DICT,
  manualSources,
  SituationDraft,
  SituationQuery,
  SituationRow,
  situationSources,
} from '@tocsin/contract/police/situation'
import { situationStates } from '@tocsin/contract/police/situation-machine'
import { situations } from '@tocsin/contract/police/situations'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { column } from '#ui/column.tsx'
import { DictSelect } from '#ui/dict/DictSelect.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { FormGroup } from '#ui/form/FormGroup.tsx'
import { DateRangeFilter, EnumSelect, Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { notify } from '#ui/notify.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { StationSelect } from '../StationSelect.tsx'
import { TimesButton } from './SituationTimes.tsx'

const columns = [
  column(SituationRow, 'no', { main: true }),
  column(SituationRow, 'grade', { tag: 'level' }),
  column(SituationRow, 'state', { tag: 'situationState' }),
  column(SituationRow, 'category', { show: (value) => <DictTag type={CATEGORY_DICT} value={value} /> }),
  column(SituationRow, 'source', { word: 'situationSource' }),
  column(SituationRow, 'place', { show: (place, { schoolName }) => [schoolName, place].filter(Boolean).join(' · ') }),
  column(SituationRow, 'stationName'),
  column(SituationRow, 'receivedAt'),
  column(SituationRow, 'signedAt', { wideOnly: true }),
  column(SituationRow, 'arrivedAt', { wideOnly: true }),
  column(SituationRow, 'unitNames', { wideOnly: true }),
  column(SituationRow, 'feedbackCount', { figure: true, wideOnly: true }),
]

const Filters = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={SituationQuery} name="keyword">
        <Input allowClear maxLength={64} />
      </Filter>
      <Filter of={SituationQuery} name="state">
        <EnumSelect kind="situationState" values={situationStates} />
      </Filter>
      <Filter of={SituationQuery} name="category">
        <DictSelect type={CATEGORY_DICT} allowClear />
      </Filter>
      <Filter of={SituationQuery} name="source">
        <EnumSelect kind="situationSource" values={situationSources} />
      </Filter>
      <Filter of={SituationQuery} name="stationDeptId">
        <StationSelect placeholder={t('list.all')} />
      </Filter>
      <Filter of={SituationQuery} name="schoolId">
        <SchoolSelect />
      </Filter>
      <Filter of={SituationQuery} name="claimed">
        <YesNo />
      </Filter>
      <Filter of={SituationQuery} name="overdue">
        <YesNo />
      </Filter>
      <DateRangeFilter label={t('police.period')} hint={t('police.periodHint')} />
    </>
  )
}

const SituationDrawer = ({ onClose, onCreated }: { onClose: () => void; onCreated: (id: number) => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const create = useApiMutation(situations.create, { fieldsInline: true })
  const save = async (values: Record<string, unknown>) => {
    const id = await create.mutateAsync({ body: toDraft(SituationDraft, values) })
    notify.success(t('list.created'))
    onCreated(id)
  }
  return (
    <EditDrawer
      title={t('police.newSituation')}
      initialValues={{ source: 'PHONE_110', grade: 2 }}
      save={save}
      onClose={onClose}
    >
      <FormGroup title={t('police.whatGroup')} hint={t('police.whatGroupHint')}>
        <Field of={SituationDraft} name="summary">
          <Input.TextArea autoFocus maxLength={1000} showCount autoSize={{ minRows: 3 }} />
        </Field>
        <Field of={SituationDraft} name="source">
          <Select options={enumOptions('situationSource', manualSources, lang)} />
        </Field>
        <Field of={SituationDraft} name="category">
          <DictSelect type={CATEGORY_DICT} />
        </Field>
        <Field of={SituationDraft} name="grade">
          <Select options={[1, 2, 3, 4].map((n) => ({ value: n, label: t('police.grade', { n }) }))} />
        </Field>
      </FormGroup>
      <FormGroup title={t('police.whereGroup')} hint={t('police.whereGroupHint')}>
        <Field of={SituationDraft} name="schoolId">
          <SchoolSelect placeholder={t('list.choose')} />
        </Field>
        <Field of={SituationDraft} name="place">
          <Input maxLength={300} />
        </Field>
        <Field of={SituationDraft} name="stationDeptId" extra={t('police.stationOfSchool')}>
          <StationSelect />
        </Field>
      </FormGroup>
      <FormGroup title={t('police.callerGroup')} hint={t('police.callerGroupHint')}>
        <Field of={SituationDraft} name="reporterName">
          <Input maxLength={64} />
        </Field>
        <Field of={SituationDraft} name="reporterMobile">
          <Input maxLength={20} inputMode="tel" />
        </Field>
        <Field of={SituationDraft} name="externalNo">
          <Input maxLength={40} />
        </Field>
      </FormGroup>
    </EditDrawer>
  )
}

/** All visible incidents, open and ended. */
export const SituationPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const mayCreate = useHasPermission('police:situation:create')
  const mayExport = useHasPermission('police:situation:export')
  const open = (id: number) => void navigate(`/police/situation/detail/${id}`)
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
      {t('police.newSituation')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={SituationQuery}
        source={(query) => queryFor(situations.page, { query })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={<Filters />}
        left={create}
        onOpen={({ id }) => open(id)}
        actions={({ id }) => (
          <Button size="small" type="link" onClick={() => open(id)}>
            {t('list.detail')}
          </Button>
        )}
        exporting={(query) => (
          <>
            <TimesButton query={query} />
            {mayExport && <ExportButton calls={situations} query={query} />}
          </>
        )}
        empty={{ text: t('police.noSituations'), next: create }}
      />
      {creating && <SituationDrawer onClose={() => setCreating(false)} onCreated={open} />}
    </>
  )
}
