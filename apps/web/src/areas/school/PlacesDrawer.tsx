import { places } from '@tocsin/contract/school/place'
import { useQuery } from '@tanstack/react-query'
import { Empty, Flex, Skeleton, Tag, Tree, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { readInPlace } from '#api/query.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { StateTag } from '#ui/StateTag.tsx'
import { AppDrawer } from '#ui/above/AppDrawer.tsx'
import { type PlaceNode, placeTree } from './place-tree.ts'

const PlaceLine = ({ place }: { place: PlaceNode }) => {
  const { t } = useTranslation()
  return (
    <Flex gap="small" wrap align="center">
      <span>{place.name}</span>
      <Typography.Text type="secondary">{place.code}</Typography.Text>
      <StateTag kind="placeKind" value={place.kind} />
      {place.sensitivity === 'PRIVATE' && <StateTag kind="sensitivity" value={place.sensitivity} />}
      {place.keyPart && <Tag color="red">{t('school.keyPart')}</Tag>}
      {place.accessNotes && <Typography.Text type="secondary">{place.accessNotes}</Typography.Text>}
    </Flex>
  )
}

const PlaceTree = ({ schoolId }: { schoolId: number }) => {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(readInPlace(places.list, { query: { schoolId } }))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active />
  if (data.length === 0) return <Empty description={t('school.noPlaces')} />
  return (
    <Tree<PlaceNode>
      defaultExpandAll
      selectable={false}
      showLine
      treeData={placeTree(data)}
      titleRender={(place) => <PlaceLine place={place} />}
    />
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
