import { WallLinkQuery, WallLinkRow, wallLinks } from '@tocsin/contract/insight/wall'
import { wallLinkStates } from '@tocsin/contract/insight/wall-labels'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { confirm } from '#ui/confirm.ts'
import { EnumSelect, Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { WallLinkDrawer } from './WallLinkDrawer.tsx'

const columns = [
  column(WallLinkRow, 'name', { main: true }),
  column(WallLinkRow, 'deptName'),
  column(WallLinkRow, 'state', { word: 'wallLinkState' }),
  column(WallLinkRow, 'creatorName'),
  column(WallLinkRow, 'createTime', { wideOnly: true }),
  column(WallLinkRow, 'expiresAt'),
  column(WallLinkRow, 'lastUsedAt'),
]

const filters = (
  <>
    <Filter of={WallLinkQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={WallLinkQuery} name="state">
      <EnumSelect kind="wallLinkState" values={wallLinkStates} />
    </Filter>
  </>
)

/** Links to the wall: who created them, until when they work and when they were last used. */
export const WallLinkPage = () => {
  const { t } = useTranslation()
  const canCreate = useHasPermission('insight:wall:create')
  const canRevoke = useHasPermission('insight:wall:revoke')
  const [isCreating, setCreating] = useState(false)
  const { mutate } = useApiMutation(wallLinks.revoke)
  const revoke = async ({ id, name }: WallLinkRow) => {
    const question = { title: t('wall.revokeQuestion', { name }), text: t('wall.revokeText'), yes: t('wall.revoke') }
    if ((await confirm({ ...question, danger: true })) === true) mutate({ body: { id } })
  }
  const create = canCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
      {t('wall.create')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={WallLinkQuery}
        source={(query) => queryFor(wallLinks.page, { query })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={filters}
        left={create}
        {...(canRevoke && {
          actions: (row: WallLinkRow) => (
            <RowActions
              items={[
                {
                  key: 'revoke',
                  label: t('wall.revoke'),
                  danger: true,
                  why: row.state === 'ACTIVE' ? undefined : t('wall.notActive'),
                  run: () => void revoke(row),
                },
              ]}
            />
          ),
        })}
        empty={{ text: t('wall.none'), next: create }}
      />
      {isCreating && <WallLinkDrawer onClose={() => setCreating(false)} />}
    </>
  )
}
