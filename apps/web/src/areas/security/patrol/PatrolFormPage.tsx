import {
  PatrolDraft,
  type PatrolPlanDetail,
  PatrolPointDraft,
  MAX_PATROL_POINTS,
  MAX_ROUNDS,
  patrols,
} from '@tocsin/contract/security/patrol'
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Divider, Flex, Form, Input, InputNumber, Switch, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { PlaceSelect } from '#areas/device/PlaceSelect.tsx'
import { useLang } from '#texts/i18n.ts'
import { MinutePicker } from '#ui/dates/MinutePicker.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { toDraft, toDrafts } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import '../duty.css'
import { WeekdayPicker } from '../post/WeekdayPicker.tsx'

const LIST = '/duty/patrol'

const newPoint = { keyPart: false }
const newPlan = {
  weekdays: 127,
  fromMin: 420,
  toMin: 1140,
  rounds: 5,
  enabled: true,
  points: [newPoint],
}

const PointFields = () => {
  const { t } = useTranslation()
  const schoolId: number | undefined = Form.useWatch('schoolId')
  return (
    <Form.List name="points">
      {(rows, { add, remove, move }) => (
        <Flex vertical gap="small">
          {rows.map(({ key, name: row }) => (
            <Flex key={key} gap="small" align="start" wrap className="patrol-point">
              <Form.Item name={[row, 'id']} hidden>
                <Input />
              </Form.Item>
              <Field of={PatrolPointDraft} name="name" row={row} style={{ flex: '1 1 160px' }}>
                <Input maxLength={64} />
              </Field>
              <Field of={PatrolPointDraft} name="placeId" row={row} style={{ flex: '1 1 160px' }}>
                <PlaceSelect schoolId={schoolId} allowClear />
              </Field>
              <Field of={PatrolPointDraft} name="keyPart" row={row} valuePropName="checked">
                <Checkbox />
              </Field>
              <Flex gap={4} style={{ marginBlockStart: 30 }}>
                <Button
                  icon={<ArrowUpOutlined />}
                  disabled={row === 0}
                  aria-label={t('patrol.moveUp', { n: row + 1 })}
                  onClick={() => move(row, row - 1)}
                />
                <Button
                  icon={<ArrowDownOutlined />}
                  disabled={row === rows.length - 1}
                  aria-label={t('patrol.moveDown', { n: row + 1 })}
                  onClick={() => move(row, row + 1)}
                />
                <Button
                  icon={<DeleteOutlined />}
                  disabled={rows.length === 1}
                  aria-label={t('patrol.removePoint', { n: row + 1 })}
                  onClick={() => remove(row)}
                />
              </Flex>
            </Flex>
          ))}
          {rows.length < MAX_PATROL_POINTS && (
            <Button icon={<PlusOutlined />} onClick={() => add(newPoint)}>
              {t('patrol.addPoint')}
            </Button>
          )}
        </Flex>
      )}
    </Form.List>
  )
}

const Fields = ({ isStored }: { isStored: boolean }) => {
  const { t } = useTranslation()
  return (
    <>
      <Field of={PatrolDraft} name="name">
        <Input maxLength={64} />
      </Field>
      <Field of={PatrolDraft} name="schoolId">
        <SchoolSelect placeholder={t('list.choose')} disabled={isStored} />
      </Field>
      <Field of={PatrolDraft} name="enabled" valuePropName="checked">
        <Switch />
      </Field>
      <Divider titlePlacement="start">{t('duty.hours')}</Divider>
      <Field of={PatrolDraft} name="weekdays">
        <WeekdayPicker />
      </Field>
      <Field of={PatrolDraft} name="fromMin">
        <MinutePicker />
      </Field>
      <Field of={PatrolDraft} name="toMin" extra={t('patrol.hoursHelp')}>
        <MinutePicker isEnd />
      </Field>
      <Field of={PatrolDraft} name="rounds" extra={t('patrol.roundsHelp')}>
        <InputNumber min={1} max={MAX_ROUNDS} precision={0} style={{ width: '100%' }} />
      </Field>
      <Field of={PatrolDraft} name="remark">
        <Input maxLength={200} />
      </Field>
      <Divider titlePlacement="start">{t('patrol.points')}</Divider>
      <PointFields />
    </>
  )
}

const toBody = (values: Record<string, unknown>): PatrolDraft => ({
  ...toDraft(PatrolDraft, values),
  points: toDrafts(PatrolPointDraft, values['points']),
})

const PatrolForm = ({ plan }: { plan?: PatrolPlanDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const create = useApiMutation(patrols.create, { fieldsInline: true })
  const update = useApiMutation(patrols.update, { fieldsInline: true })
  const submit = async (values: Record<string, unknown>) => {
    const { schoolId, ...body } = toBody(values)
    const write = plan
      ? update.mutateAsync({ body: { ...body, id: plan.id, version: plan.version } }).then(() => plan.id)
      : create.mutateAsync({ body: { ...body, schoolId } })
    await write.then(
      (id) => {
        notify.success(t(plan ? 'list.saved' : 'list.created'))
        void navigate(`${LIST}/${id}`)
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <Form
      form={form}
      layout="vertical"
      className="duty-form"
      initialValues={plan ?? newPlan}
      scrollToFirstError={{ block: 'center' }}
      onFinish={(values: Record<string, unknown>) => void submit(values)}
    >
      <Typography.Title level={4}>{plan?.name ?? t('patrol.create')}</Typography.Title>
      <Fields isStored={plan !== undefined} />
      <Flex gap="small" className="duty-bar">
        <Button type="primary" htmlType="submit" loading={create.isPending || update.isPending}>
          {t('list.save')}
        </Button>
        <Button onClick={() => void navigate(LIST)}>{t('list.cancel')}</Button>
      </Flex>
    </Form>
  )
}

const StoredPatrol = ({ id }: { id: number }) => {
  const query = useQuery(inlineQuery(patrols.get, { query: { id } }))
  return <QueryResult query={query}>{(plan) => <PatrolForm key={plan.version} plan={plan} />}</QueryResult>
}

/** One patrol with its points in order, new or stored. */
export const PatrolFormPage = () => {
  const { id } = useParams()
  return id === 'new' ? <PatrolForm /> : <StoredPatrol id={Number(id)} />
}
