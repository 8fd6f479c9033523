import { places } from '@tocsin/contract/school/place'
import { useQuery } from '@tanstack/react-query'
import { Empty, Flex, Tag, Tree, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { AppDrawer } from '#ui/overlay/AppDrawer.tsx'
import { type PlaceNode, placeTree } from './place-tree.ts'

const PlaceLine = ({ place }: { place: PlaceNode }) => {
  const { t } = useTranslation()
  return (
    <Flex gap="small" wrap align="center">
      <span>{place.name}</span>
      <Typography.Text type="secondary">{place.code}</Typography.Text>
      <EnumTag kind="placeKind" value={place.kind} />
      {place.sensitivity === 'PRIVATE' && <EnumTag kind="sensitivity" value={place.sensitivity} />}
      {place.keyPart && <Tag color="red">{t('school.keyPart')}</Tag>}
      {place.cameras.length > 0 && (
        <Typography.Text type="secondary">
          {t('school.cameras', { names: place.cameras.map(({ sn }) => sn).join(', ') })}
        </Typography.Text>
      )}
      {place.polygon && (
        <Typography.Text type="secondary">{t('school.outlined', { n: place.polygon.length })}</Typography.Text>
      )}
      {place.accessNotes && <Typography.Text type="secondary">{place.accessNotes}</Typography.Text>}
    </Flex>
  )
}

const PlaceTree = ({ schoolId }: { schoolId: number }) => {
  const { t } = useTranslation()
  const query = useQuery(inlineQuery(places.list, { query: { schoolId } }))
  return (
    <QueryResult query={query}>
      {(list) =>
        list.length === 0 ? (
          <Empty description={t('school.noPlaces')} />
        ) : (
          <Tree<PlaceNode>
            defaultExpandAll
            selectable={false}
            showLine
            treeData={placeTree(list)}
            titleRender={(place) => <PlaceLine place={place} />}
          />
        )
      }
    </QueryResult>
  )
}

export const PlacesDrawer = ({ school, onClose }: { school: { id: number; name: string }; onClose: () => void }) => {
  const { t } = useTranslation()
  return (
    <AppDrawer onClose={onClose} size="min(720px, 100vw)" title={t('school.placesOf', { name: school.name })}>
      <PlaceTree schoolId={school.id} />
    </AppDrawer>
  )
}
