import { MinusCircleOutlined, PlusOutlined } from '@ant-design/icons'
import { orderKinds, OrderNode, type OrderSubjectOption, SupervisionOrderDraft } from '@tocsin/contract/supervise/order'
import { Button, Flex, Form, Input, Select, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { DeptsSelect } from '#areas/notices/receivers.tsx'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { toAttachmentDrafts } from '#ui/attachment/attachment-drafts.ts'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { Field } from '#ui/Field.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { PersonSelect } from './PersonSelect.tsx'
import { SubjectFields } from './subject/SubjectFields.tsx'

/** A school or a department; selecting one clears the other, and the person, who is of the chosen one. */
export const ResponsibleFields = () => {
  const { t } = useTranslation()
  const form = Form.useFormInstance()
  const clear = (other: 'schoolId' | 'responsibleDeptId') =>
    form.setFieldsValue({ [other]: null, responsibleUserId: null })
  return (
    <>
      <Field of={SupervisionOrderDraft} name="schoolId" extra={t('order.responsibleHelp')}>
        <SchoolSelect placeholder={t('list.choose')} onChange={() => clear('responsibleDeptId')} />
      </Field>
      <Field of={SupervisionOrderDraft} name="responsibleDeptId">
        <DeptSelect allowClear onChange={() => clear('schoolId')} />
      </Field>
      <Field of={SupervisionOrderDraft} name="responsibleUserId" extra={t('order.personHelp')}>
        <PersonSelect />
      </Field>
    </>
  )
}

const Milestones = () => {
  const { t } = useTranslation()
  return (
    <Form.List name="nodes">
      {(rows, { add, remove }) => (
        <Flex vertical gap="small">
          {rows.map(({ key, name }) => (
            <Flex key={key} gap="small" align="start" wrap>
              <Field of={OrderNode} name="name" row={name} style={{ flex: 1, minWidth: 160 }}>
                <Input maxLength={50} />
              </Field>
              <Field of={OrderNode} name="dueAt" row={name} style={{ flex: 1, minWidth: 200 }}>
                <InstantPicker />
              </Field>
              <Button
                style={{ marginTop: 30 }}
                icon={<MinusCircleOutlined />}
                aria-label={t('order.removeMilestone')}
                onClick={() => remove(name)}
              />
            </Flex>
          ))}
          <Button icon={<PlusOutlined />} disabled={rows.length >= 10} onClick={() => add({})}>
            {t('order.addMilestone')}
          </Button>
        </Flex>
      )}
    </Form.List>
  )
}

/** The fields of an order, in groups. */
export const OrderFields = ({ subject }: { subject?: OrderSubjectOption | undefined }) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <>
      <Typography.Title level={5}>{t('order.facts')}</Typography.Title>
      <SubjectFields initial={subject} />
      <Field of={SupervisionOrderDraft} name="title">
        <Input maxLength={100} showCount />
      </Field>
      <Field of={SupervisionOrderDraft} name="kind">
        <Select options={enumOptions('orderKind', orderKinds, lang)} />
      </Field>
      <Field of={SupervisionOrderDraft} name="content">
        <Input.TextArea maxLength={4000} autoSize={{ minRows: 3, maxRows: 12 }} />
      </Field>
      <Field of={SupervisionOrderDraft} name="requirement">
        <Input.TextArea maxLength={2000} autoSize={{ minRows: 2, maxRows: 10 }} />
      </Field>
      <Field of={SupervisionOrderDraft} name="attachments" toSent={toAttachmentDrafts}>
        <AttachmentInput />
      </Field>
      <Typography.Title level={5}>{t('order.dates')}</Typography.Title>
      <ResponsibleFields />
      <Field of={SupervisionOrderDraft} name="assistDeptIds">
        <DeptsSelect />
      </Field>
      <Field of={SupervisionOrderDraft} name="signDueAt">
        <InstantPicker />
      </Field>
      <Field of={SupervisionOrderDraft} name="dueAt">
        <InstantPicker />
      </Field>
      <Typography.Title level={5}>{t('order.milestones')}</Typography.Title>
      <Milestones />
    </>
  )
}
