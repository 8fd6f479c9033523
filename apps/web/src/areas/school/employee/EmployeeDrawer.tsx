import {
  EmployeeDraft,
  EmployeeEdit,
  EmployeeRow,
  employeeGenders,
  employeeKinds,
} from '@tocsin/contract/school/employee'
import { employees } from '@tocsin/contract/school/employee-calls'
import { Form, Input, Radio, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { DayPicker } from '#ui/dates/DayPicker.tsx'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { Field } from '#ui/Field.tsx'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { FormGroup } from '#ui/form/FormGroup.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { ChannelsInput } from './ChannelsInput.tsx'

/** The number may be the displayed mask. */
const Fields = EmployeeDraft.extend({ mobile: EmployeeEdit.shape.mobile.unwrap() })

const newPerson = { gender: 'UNKNOWN', kind: 'TEACHER', channels: [], schoolIds: [] }

/** The owner of a person: a school, or a department for people without a school. */
const BelongingFields = () => {
  const { t } = useTranslation()
  const schoolId: number | null | undefined = Form.useWatch('schoolId')
  return (
    <>
      <Field of={Fields} name="schoolId" extra={t('employee.schoolHelp')}>
        <SchoolSelect placeholder={t('list.choose')} />
      </Field>
      {schoolId ? (
        <Field of={Fields} name="schoolIds">
          <FurtherSchools />
        </Field>
      ) : (
        <Field of={Fields} name="deptId" required={false} rules={[]} extra={t('employee.deptHelp')}>
          <DeptSelect allowClear />
        </Field>
      )}
    </>
  )
}

const FurtherSchools = (rest: object) => {
  const { t } = useTranslation()
  return <SchoolSelect mode="multiple" placeholder={t('list.choose')} {...rest} />
}

const PersonFields = () => {
  const lang = useLang()
  return (
    <>
      <Field of={Fields} name="name">
        <Input maxLength={30} autoFocus />
      </Field>
      <Field of={Fields} name="employeeNo">
        <Input maxLength={32} />
      </Field>
      <Field of={Fields} name="kind">
        <Select options={enumOptions('employeeKind', employeeKinds, lang)} />
      </Field>
      <Field of={Fields} name="post">
        <Input maxLength={30} />
      </Field>
      <Field of={Fields} name="gender">
        <Radio.Group options={enumOptions('gender', employeeGenders, lang)} />
      </Field>
    </>
  )
}

type Props = { person: EmployeeRow | undefined; schoolId?: number | undefined; onClose: () => void }

/** Creates a person, or changes the register data of one. */
export const EmployeeDrawer = ({ person, schoolId, onClose }: Props) => {
  const { t } = useTranslation()
  const create = useApiMutation(employees.create, { fieldsInline: true })
  const update = useApiMutation(employees.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const { deptId, ...draft } = toDraft(Fields, {
      ...values,
      schoolIds: values['schoolId'] ? values['schoolIds'] : [],
    })
    const body = { ...draft, ...(!draft.schoolId && deptId && { deptId }) }
    if (person) await update.mutateAsync({ body: { ...body, id: person.id, version: newer ?? person.version } })
    else await create.mutateAsync({ body })
    notify.success(t(person ? 'list.saved' : 'list.created'))
  }
  return (
    <EditDrawer
      title={person ? person.name : t('employee.new')}
      initialValues={person ?? { ...newPerson, ...(schoolId !== undefined && { schoolId }) }}
      save={save}
      reading={readAs(EmployeeRow)}
      onClose={onClose}
    >
      <PersonFields />
      <FormGroup title={t('employee.belongs')} hint={t('employee.belongsHint')}>
        <BelongingFields />
      </FormGroup>
      <FormGroup title={t('employee.contact')} hint={t('employee.contactHint')}>
        <Field of={Fields} name="mobile" {...(person?.mobile?.includes('*') && { extra: t('employee.mobileHelp') })}>
          <Input maxLength={11} inputMode="tel" />
        </Field>
        <Field of={Fields} name="channels" extra={t('employee.reachHelp')}>
          <ChannelsInput />
        </Field>
      </FormGroup>
      <FormGroup title={t('employee.papers')} hint={t('employee.papersHint')} rare={!person?.certNo}>
        <Field of={Fields} name="certNo">
          <Input maxLength={40} />
        </Field>
        <Field of={Fields} name="certExpiresOn">
          <DayPicker />
        </Field>
        <Field of={Fields} name="backgroundCheckedOn">
          <DayPicker />
        </Field>
      </FormGroup>
      <Field of={Fields} name="remark">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    </EditDrawer>
  )
}
