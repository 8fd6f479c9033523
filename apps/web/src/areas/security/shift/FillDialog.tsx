import { PlusOutlined } from '@ant-design/icons'
import { type CalendarPost, shifts } from '@tocsin/contract/security/shift'
import { Button, Flex, Select, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { notify } from '#ui/notify.ts'
import { EmployeeSelect } from '#ui/select/EmployeeSelect.tsx'

type Props = { posts: readonly CalendarPost[]; week: Date; onClose: () => void }

/** Plans a whole week of one post; people rotate. */
export const FillDialog = ({ posts, week, onClose }: Props) => {
  const { t } = useTranslation()
  const [postId, setPostId] = useState<number>()
  const [people, setPeople] = useState<(number | undefined)[]>([undefined])
  const { mutate, isPending } = useApiMutation(shifts.fillWeek)
  const post = posts.find(({ id }) => id === postId)
  const chosen = people.filter((id) => id !== undefined)
  const fill = () => {
    if (postId === undefined) return
    mutate(
      { body: { week, postId, employeeIds: chosen } },
      {
        onSuccess: (counts) => {
          notify.success(t('duty.filled', counts))
          onClose()
        },
      },
    )
  }
  return (
    <AppModal
      title={t('duty.fillWeek')}
      okText={t('duty.planShift')}
      okButtonProps={{ loading: isPending, disabled: !post || chosen.length === 0 }}
      cancelText={t('list.cancel')}
      onOk={fill}
      onCancel={onClose}
    >
      <Flex vertical gap="small">
        <Typography.Text type="secondary">{t('duty.fillHelp')}</Typography.Text>
        <Select
          aria-label={t('duty.post')}
          placeholder={t('list.choose')}
          options={posts.map(({ id, name, ownerName }) => ({ value: id, label: `${name} · ${ownerName}` }))}
          onChange={(id: number) => setPostId(id)}
        />
        {post &&
          people.map((id, at) => (
            <EmployeeSelect
              // Rows have no identity of their own: a person may be selected twice.
              key={`person ${at + 1}`}
              {...(id !== undefined && { value: id })}
              schoolId={post.schoolId ?? undefined}
              deptId={post.deptId ?? undefined}
              aria-label={t('duty.personAt', { n: at + 1 })}
              onChange={(next) => setPeople(people.map((person, n) => (n === at ? next : person)))}
            />
          ))}
        {post && (
          <Button icon={<PlusOutlined />} onClick={() => setPeople([...people, undefined])}>
            {t('duty.addPerson')}
          </Button>
        )}
      </Flex>
    </AppModal>
  )
}
