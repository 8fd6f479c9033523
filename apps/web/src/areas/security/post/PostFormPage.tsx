import {
  Equipment,
  MAX_EQUIPMENT,
  postTypes,
  SecurityPostDraft,
  type SecurityPostRow,
  securityPosts,
} from '@tocsin/contract/security/post'
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Divider, Flex, Form, Input, InputNumber, Segmented, Select, Switch, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { PlaceSelect } from '#areas/device/PlaceSelect.tsx'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { toDraft, toDrafts } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import '../duty.css'
import { MinutePicker } from '#ui/dates/MinutePicker.tsx'
import { WeekdayPicker } from './WeekdayPicker.tsx'

const LIST = '/duty/post'

/** A choice of the form; the post has either a school or a department. */
const OWNER_KIND = 'ownerKind'

const newPost = {
  [OWNER_KIND]: 'SCHOOL',
  type: 'GATE',
  weekdays: 127,
  fromMin: 420,
  toMin: 1140,
  headcount: 1,
  equipment: [],
  enabled: true,
}

/** A post of a department, like the seats of a command centre or a patrol of the police, has no school. */
const OwnerFields = () => {
  const { t } = useTranslation()
  const isSeat = Form.useWatch('type') === 'SEAT'
  const isOfDept = Form.useWatch(OWNER_KIND) === 'DEPT'
  const kind = (
    <Form.Item name={OWNER_KIND} label={t('duty.owner')}>
      <Segmented
        options={[
          { value: 'SCHOOL', label: t('duty.ownerSchool') },
          { value: 'DEPT', label: t('duty.ownerPolice') },
        ]}
      />
    </Form.Item>
  )
  const schoolId: number | undefined = Form.useWatch('schoolId')
  if (isSeat || isOfDept)
    return (
      <>
        {!isSeat && kind}
        <Field of={SecurityPostDraft} name="deptId" extra={t('duty.ownerDept')} required>
          <DeptSelect placeholder={t('list.choose')} />
        </Field>
      </>
    )
  return (
    <>
      {kind}
      <Field of={SecurityPostDraft} name="schoolId" required>
        <SchoolSelect placeholder={t('list.choose')} />
      </Field>
      <Field of={SecurityPostDraft} name="placeId">
        <PlaceSelect schoolId={schoolId} allowClear />
      </Field>
    </>
  )
}

const EquipmentFields = () => {
  const { t } = useTranslation()
  return (
    <Form.List name="equipment">
      {(rows, { add, remove }) => (
        <Flex vertical gap="small">
          {rows.map(({ key, name: row }) => (
            <Flex key={key} gap="small" align="start">
              <Field of={Equipment} name="name" row={row} style={{ flex: 1 }}>
                <Input maxLength={32} />
              </Field>
              <Field of={Equipment} name="required" row={row}>
                <InputNumber min={0} max={999} precision={0} style={{ width: 88 }} />
              </Field>
              <Field of={Equipment} name="present" row={row}>
                <InputNumber min={0} max={999} precision={0} style={{ width: 88 }} />
              </Field>
              <Button
                style={{ marginBlockStart: 30 }}
                icon={<DeleteOutlined />}
                aria-label={t('duty.removeEquipment', { name: row + 1 })}
                onClick={() => remove(row)}
              />
            </Flex>
          ))}
          {rows.length < MAX_EQUIPMENT && (
            <Button icon={<PlusOutlined />} onClick={() => add({ required: 1, present: 1 })}>
              {t('duty.addEquipment')}
            </Button>
          )}
        </Flex>
      )}
    </Form.List>
  )
}

const Fields = () => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <>
      <Divider titlePlacement="start">{t('duty.basics')}</Divider>
      <Field of={SecurityPostDraft} name="name">
        <Input maxLength={64} />
      </Field>
      <Field of={SecurityPostDraft} name="type">
        <Select options={enumOptions('postType', postTypes, lang)} />
      </Field>
      <OwnerFields />
      <Field of={SecurityPostDraft} name="headcount">
        <InputNumber min={1} max={200} precision={0} style={{ width: '100%' }} />
      </Field>
      <Field of={SecurityPostDraft} name="enabled" valuePropName="checked">
        <Switch />
      </Field>
      <Field of={SecurityPostDraft} name="remark">
        <Input maxLength={200} />
      </Field>
      <Divider titlePlacement="start">{t('duty.hours')}</Divider>
      <Field of={SecurityPostDraft} name="weekdays">
        <WeekdayPicker />
      </Field>
      <Field of={SecurityPostDraft} name="fromMin">
        <MinutePicker />
      </Field>
      <Field of={SecurityPostDraft} name="toMin" extra={t('duty.hoursHelp')}>
        <MinutePicker isEnd />
      </Field>
      <Divider titlePlacement="start">{t('duty.equipmentTitle')}</Divider>
      <EquipmentFields />
    </>
  )
}

const toBody = (values: Record<string, unknown>): SecurityPostDraft => ({
  ...toDraft(SecurityPostDraft, values),
  equipment: toDrafts(Equipment, values['equipment']),
  ...(values['type'] === 'SEAT' || values[OWNER_KIND] === 'DEPT'
    ? { schoolId: null, placeId: null }
    : { deptId: null }),
})

const PostForm = ({ post }: { post?: SecurityPostRow }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const mayWrite = useHasPermission(post ? 'security:post:update' : 'security:post:create')
  const create = useApiMutation(securityPosts.create, { fieldsInline: true })
  const update = useApiMutation(securityPosts.update, { fieldsInline: true })
  const leave = () => navigate(LIST)
  const submit = async (values: Record<string, unknown>) => {
    const body = toBody(values)
    const write: Promise<unknown> = post
      ? update.mutateAsync({ body: { ...body, id: post.id, version: post.version } })
      : create.mutateAsync({ body })
    await write.then(
      () => {
        notify.success(t(post ? 'list.saved' : 'list.created'))
        void leave()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <Form
      form={form}
      layout="vertical"
      className="duty-form"
      disabled={!mayWrite}
      initialValues={post ? { ...post, [OWNER_KIND]: post.deptId === null ? 'SCHOOL' : 'DEPT' } : newPost}
      scrollToFirstError={{ block: 'center' }}
      onFinish={(values: Record<string, unknown>) => void submit(values)}
    >
      <Typography.Title level={4}>{post?.name ?? t('duty.newPost')}</Typography.Title>
      <Fields />
      <Flex gap="small" className="duty-bar">
        {mayWrite && (
          <Button type="primary" htmlType="submit" loading={create.isPending || update.isPending}>
            {t('list.save')}
          </Button>
        )}
        <Button disabled={false} onClick={() => void leave()}>
          {t('list.cancel')}
        </Button>
      </Flex>
    </Form>
  )
}

const StoredPost = ({ id }: { id: number }) => {
  const query = useQuery(inlineQuery(securityPosts.get, { query: { id } }))
  return <QueryResult query={query}>{(post) => <PostForm key={post.version} post={post} />}</QueryResult>
}

/** One post, new or stored. */
export const PostFormPage = () => {
  const { id } = useParams()
  return id === 'new' ? <PostForm /> : <StoredPost id={Number(id)} />
}
