import {
  areaTypes,
  SchoolCreateDraft,
  SchoolDetail,
  SchoolDraft,
  schoolStages,
  schools,
} from '@tocsin/contract/school/school'
import { schoolEdits } from '@tocsin/contract/school/school-edits'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Form, Input, InputNumber, Select, Switch, Typography } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { i18n, useLang } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { ConflictSummary, EditConflictProvider, SaveLabel } from '#ui/edit-conflict/RemoteValue.tsx'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { useEditConflict } from '#ui/edit-conflict/use-edit-conflict.ts'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { EmployeeSelect } from '#ui/select/EmployeeSelect.tsx'
import { ContactsInput } from './contact/ContactsInput.tsx'
import { CoordinateConverter } from './place/CoordinateConverter.tsx'
import { DeptSelect } from './DeptSelect.tsx'
import { fenceRule } from './fence-text.ts'
import { GeofenceInput } from './GeofenceInput.tsx'
import { OutlineMap } from './OutlineMap.tsx'
import './school.css'

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Typography.Title level={5}>{title}</Typography.Title>
    {children}
  </section>
)

const fullWidth = { width: '100%' }

const Count = ({ name, max }: { name: 'studentCount' | 'boarderCount' | 'staffCount'; max: number }) => (
  <Field of={SchoolDraft} name={name}>
    <InputNumber min={0} max={max} precision={0} style={fullWidth} />
  </Field>
)

const BasicFields = () => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Group title={t('school.groupBasic')}>
      <div className="school-form-grid">
        <Field of={SchoolDraft} name="name">
          <Input maxLength={64} />
        </Field>
        <Field of={SchoolDraft} name="code">
          <Input maxLength={32} />
        </Field>
        <Field of={SchoolDraft} name="stage">
          <Select options={enumOptions('stage', schoolStages, lang)} />
        </Field>
        <Field of={SchoolDraft} name="areaType">
          <Select options={enumOptions('areaType', areaTypes, lang)} />
        </Field>
      </div>
    </Group>
  )
}

const Fields = ({ school }: { school: SchoolDetail | undefined }) => {
  const { t } = useTranslation()
  return (
    <>
      <BasicFields />
      <Group title={t('school.groupBelongs')}>
        <div className="school-form-grid">
          {school ? (
            <Form.Item label={i18n.t('school.district')} extra={t('school.districtHelp')}>
              <span>{school.eduDeptName ?? '–'}</span>
            </Form.Item>
          ) : (
            <Field of={SchoolCreateDraft} name="eduDeptId" extra={t('school.deptHelp')}>
              <DeptSelect of="districts" />
            </Field>
          )}
          <Field of={SchoolDraft} name="policeDeptId">
            <DeptSelect of="stations" allowClear />
          </Field>
        </div>
      </Group>
      <Group title={t('school.groupSize')}>
        <div className="school-form-grid">
          <Count name="studentCount" max={1_000_000} />
          <Count name="staffCount" max={100_000} />
          <Count name="boarderCount" max={1_000_000} />
          <Field of={SchoolDraft} name="boarding" valuePropName="checked">
            <Switch />
          </Field>
        </div>
      </Group>
      <Group title={t('school.groupLocation')}>
        <Field of={SchoolDraft} name="address">
          <Input maxLength={200} />
        </Field>
        <div className="school-form-grid">
          <Field of={SchoolDraft} name="lng">
            <InputNumber min={-180} max={180} step={0.0001} style={fullWidth} />
          </Field>
          <Field of={SchoolDraft} name="lat">
            <InputNumber min={-90} max={90} step={0.0001} style={fullWidth} />
          </Field>
        </div>
        <Form.Item name="coordinateSystem" hidden>
          <Input />
        </Form.Item>
        <CoordinateConverter hasSource />
        <Form.Item name="geofence" label={t('school.fence')} extra={t('school.fenceHelp')} rules={[fenceRule]}>
          <GeofenceInput />
        </Form.Item>
        <OutlineMap name="geofence" label={t('school.fence')} hasPosition />
      </Group>
      {school && (
        <Group title={t('school.groupLeaders')}>
          <div className="school-form-grid">
            <Field of={SchoolDraft} name="principalId">
              <EmployeeSelect schoolId={school.id} />
            </Field>
            <Field of={SchoolDraft} name="safetyOfficerId">
              <EmployeeSelect schoolId={school.id} />
            </Field>
            <Field of={SchoolDraft} name="legalViceHeadId" extra={t('school.legalHelp')}>
              <EmployeeSelect />
            </Field>
          </div>
        </Group>
      )}
      <Group title={t('school.groupContacts')}>
        <Field of={SchoolDraft} name="dutyPhone">
          <Input maxLength={20} inputMode="tel" style={{ maxWidth: 240 }} />
        </Field>
        <Field of={SchoolDraft} name="emergencyContacts">
          <ContactsInput />
        </Field>
      </Group>
    </>
  )
}

const newSchool = {
  areaType: 'URBAN',
  boarding: false,
  studentCount: 0,
  boarderCount: 0,
  staffCount: 0,
  coordinateSystem: 'CGCS2000',
  geofence: null,
  emergencyContacts: [],
}

const readRemote = readAs(SchoolDetail)

const useSave = (school: SchoolDetail | undefined) => {
  const create = useApiMutation(schoolEdits.create, { fieldsInline: true })
  const update = useApiMutation(schoolEdits.update, { fieldsInline: true, also: [schools.page] })
  return async (values: Record<string, unknown>, version: number | undefined): Promise<number> => {
    if (!school) return create.mutateAsync({ body: toDraft(SchoolCreateDraft, values) })
    const body = { ...toDraft(SchoolDraft, values), id: school.id, version: version ?? school.version }
    await update.mutateAsync({ body })
    return school.id
  }
}

const SchoolForm = ({ school }: { school: SchoolDetail | undefined }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const [busy, setBusy] = useState(false)
  const [isSaved, setSaved] = useState(false)
  // The version first read: a refetch would hide changes of other users.
  const [begun] = useState<Record<string, unknown>>(school ?? newSchool)
  const { version, told, refused } = useEditConflict(form, begun, readRemote)
  const save = useSave(school)
  const isDirty = useUnsavedGuard(() => !isSaved && form.isFieldsTouched())
  const back = school ? `/school/detail/${school.id}` : '/school/list'
  const submit = async (values: Record<string, unknown>) => {
    setBusy(true)
    await save(values, version)
      .then(
        (id) => {
          setSaved(true)
          form.resetFields()
          notify.success(t(school ? 'list.saved' : 'list.created'))
          void navigate(`/school/detail/${id}`)
        },
        async (error: unknown) => {
          if (!(await refused(error))) showFieldErrors(form, error, lang)
        },
      )
      .finally(() => setBusy(false))
  }
  const leave = async () => {
    if (!isDirty() || (await confirm({ title: t('list.discardAsk') }))) {
      form.resetFields()
      void navigate(back)
    }
  }
  return (
    <Form
      form={form}
      layout="vertical"
      className="school-form"
      initialValues={begun}
      scrollToFirstError={{ block: 'center', focus: true }}
      onValuesChange={(changed: Record<string, unknown>) => {
        if ('lng' in changed || 'lat' in changed) form.setFieldValue('coordinateSystem', 'CGCS2000')
      }}
      onFinish={(values: Record<string, unknown>) => void submit(values)}
    >
      {told && <ConflictSummary told={told} form={form} />}
      <EditConflictProvider value={told}>
        <Fields school={school} />
      </EditConflictProvider>
      <Flex gap="small" justify="end" className="school-form-bar">
        <Button onClick={() => void leave()}>{t('list.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={busy}>
          <SaveLabel told={told} form={form} />
        </Button>
      </Flex>
    </Form>
  )
}

const EditedSchool = ({ id }: { id: number }) => {
  const query = useQuery(inlineQuery(schools.get, { query: { id } }))
  return <QueryResult query={query}>{(school) => <SchoolForm key={id} school={school} />}</QueryResult>
}

/** A new school, or the one of the address. */
export const SchoolFormPage = () => {
  const [params] = useSearchParams()
  const id = Number(params.get('id')) || undefined
  usePageTitle(id ? { name: '编辑学校', nameEn: 'Edit school' } : { name: '新增学校', nameEn: 'New school' })
  return id ? <EditedSchool id={id} /> : <SchoolForm key="new" school={undefined} />
}
