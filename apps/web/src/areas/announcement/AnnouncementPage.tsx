import { PlusOutlined } from '@ant-design/icons'
import {
  AnnouncementQuery,
  type AnnouncementRow,
  announcementTargets,
  announcementViews,
  MyAnnouncementQuery,
} from '@tocsin/contract/announcement/announcement'
import { announcements, myAnnouncements } from '@tocsin/contract/announcement/announcement-calls'
import { announcementStates } from '@tocsin/contract/announcement/announcement-machine'
import { Button, Flex, Input, Segmented, Select, type SelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EnumSelect, Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { announcementColumns, myAnnouncementColumns } from './announcement-columns.tsx'
import './announcement.css'

const receivedFilters = (
  <>
    <Filter of={MyAnnouncementQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={MyAnnouncementQuery} name="unread">
      <YesNo />
    </Filter>
    <Filter of={MyAnnouncementQuery} name="unsigned">
      <YesNo />
    </Filter>
  </>
)

/** What is addressed to the user: pinned first, then latest first. */
const ReceivedList = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const open = (id: number) => void navigate(`/announcement/read/${id}`)
  return (
    <ListPage
      query={MyAnnouncementQuery}
      source={(query) => queryFor(myAnnouncements.page, { query })}
      columns={myAnnouncementColumns}
      rowKey={({ id }) => id}
      filters={receivedFilters}
      onOpen={({ id }) => open(id)}
      actions={({ id }) => <RowActions items={[{ key: 'read', label: t('announcement.read'), run: () => open(id) }]} />}
      empty={{ text: t('announcement.noneReceived') }}
    />
  )
}

const ViewSelect = (rest: SelectProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const options = enumOptions('announcementView', announcementViews, lang)
  return <Select allowClear placeholder={t('list.all')} options={options} {...rest} />
}

const managedFilters = (
  <>
    <Filter of={AnnouncementQuery} name="view">
      <ViewSelect />
    </Filter>
    <Filter of={AnnouncementQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={AnnouncementQuery} name="state">
      <EnumSelect kind="announcementState" values={announcementStates} />
    </Filter>
    <Filter of={AnnouncementQuery} name="target">
      <EnumSelect kind="announcementTarget" values={announcementTargets} />
    </Filter>
    <Filter of={AnnouncementQuery} name="reachesDeptId">
      <DeptSelect allowClear />
    </Filter>
    <Filter of={AnnouncementQuery} name="reachesSchoolId">
      <SchoolSelect />
    </Filter>
    <Filter of={AnnouncementQuery} name="pinned">
      <YesNo />
    </Filter>
    <Filter of={AnnouncementQuery} name="publishedFrom">
      <InstantPicker />
    </Filter>
    <Filter of={AnnouncementQuery} name="publishedTo">
      <InstantPicker />
    </Filter>
    <Filter of={AnnouncementQuery} name="needsSign">
      <YesNo />
    </Filter>
  </>
)

/** Announcements of the departments in sight, for those who write, review and publish. */
const ManagedList = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayCreate = useHasPermission('announcement:announcement:create')
  const mayUpdate = useHasPermission('announcement:announcement:update')
  const mayExport = useHasPermission('announcement:announcement:export')
  const remove = useDeletion(announcements.delete)
  const open = ({ id }: AnnouncementRow) => void navigate(`/announcement/detail/${id}`)
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate('/announcement/form')}>
      {t('announcement.create')}
    </Button>
  )
  return (
    <ListPage
      query={AnnouncementQuery}
      source={(query) => queryFor(announcements.page, { query })}
      columns={announcementColumns}
      rowKey={({ id }) => id}
      filters={managedFilters}
      left={create}
      exporting={(query) => mayExport && <ExportButton calls={announcements} query={query} />}
      onOpen={open}
      actions={(row) => (
        <RowActions
          items={[
            { key: 'detail', label: t('list.detail'), run: () => open(row) },
            mayUpdate &&
              row.state === 'DRAFT' && {
                key: 'edit',
                label: t('list.edit'),
                run: () => void navigate(`/announcement/form?id=${row.id}`),
              },
            mayUpdate &&
              row.state === 'DRAFT' && {
                key: 'delete',
                label: t('list.delete'),
                run: () => void remove(row.id, row.title),
                danger: true,
              },
          ]}
        />
      )}
      empty={{ text: t('announcement.none'), next: create }}
    />
  )
}

const TAB = 'tab'

/** Everybody reads what is addressed to them; those who publish have a second list. */
export const AnnouncementPage = () => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const mayManage = useHasPermission('announcement:announcement:query')
  if (!mayManage) return <ReceivedList />
  const tab = params.get(TAB) === 'managed' ? 'managed' : 'received'
  return (
    <Flex vertical gap="middle">
      <Segmented
        className="announcement-tabs"
        value={tab}
        options={[
          { value: 'received', label: t('announcement.received') },
          { value: 'managed', label: t('announcement.managed') },
        ]}
        // The filters of one list mean nothing in the other.
        onChange={(next) => setParams(next === 'managed' ? { [TAB]: next } : {})}
      />
      {tab === 'managed' ? <ManagedList /> : <ReceivedList />}
    </Flex>
  )
}
